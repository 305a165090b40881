  /*
   * a statement that was never C text
   */
  {
    for (long c0 = 0; c0 < M; c0++)
      for (long c1 = 1 - (long) N; c1 < 1; c1++)
        A[-c1][c0] = (B[c0][-c1] + 1.0) * x[-c1 + 1] - (x[c0] - A[-c1][c0]);
  }
