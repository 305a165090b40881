  /*
   * negative coefficients: reversed, skewed and scaled
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = tune_floor(1 - (long) M, 16); c0 <= tune_floor(N - 1, 32); c0++)
      for (long c1 = tune_max(tune_max(tune_floor(2 - (long) N, 32), tune_floor(2 - (long) M, 16) - c0 - 1), tune_floor(2 * (long) M - 3 * (long) N + 32 * c0 + 4, 64)); c1 <= tune_min(tune_floor(M, 32) - c0, (M + 16 * c0 + 15) / 32); c1++)
        for (long c2 = tune_max(tune_max(2 - 2 * (long) M, 32 * c0), tune_max(-2 * (long) M - 32 * c1 - 28, 64 * c1 - 2 * (long) M)); c2 <= tune_min(tune_min(N - 1, 32 * c0 + 31), tune_min(M - 32 * c1, 3 * (long) N - 2 * (long) M + 64 * c1 + 59)); c2++)
          for (long c3 = tune_max(tune_max(3 - 2 * (long) M - c2, M - 3 * (long) N - c2 + 3 * tune_floor(N + c2, 2) + 3), 32 * c1 - (2 * (long) M - 64 * c1 + c2 + 2) % 3 + 2); c3 <= tune_min(tune_min(32 * c1 + 31, M - c2), M + tune_floor(c2, 2)); c3 += 3)
            A[(2 * (long) M + c2 - 2 * c3) / 3][(M - c2 - c3) / 3] += 0.25 * B[(M - c2 - c3) / 3][(2 * (long) M + c2 - 2 * c3) / 3] + 1.0;
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
