  /*
   * conditions on loops and on parameters, a statement that is an if
   */
  {
    for (long c0 = 0; c0 < N; c0++) {
      x[c0] += 1.0;
      if (c0 <= 3)
        for (long c1 = 0; c1 < M; c1++) {
          if (x[c0] > x[c0 + c1]) x[c0] = x[c0 + c1];
        }
      if (M >= 31 || c0 == 7)
        x[M] -= x[c0];
    }
  }
