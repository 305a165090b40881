  /*
   * a domain with a stride, two loops on one iterator
   */
  {
    for (long c0 = 1; c0 < N; c0 += 3)
      x[c0] += x[c0 - 1];
    for (long c0 = 2; c0 < N; c0++)
      for (long c1 = (c0 - 2) % 4; c1 <= c0; c1 += 4)
        y[c0 - c1] += (int) c0;
  }
