  /*
   * a loop that counts down
   */
  {
    for (long c0 = 1 - (long) N; c0 < 1; c0++)
      x[-c0] = x[-c0 + 1] * 0.5 + x[-c0];
  }
