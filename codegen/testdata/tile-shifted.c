  /*
   * two statements of different shifts in skewed tiles
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    if (M >= 3)
      for (long c0 = 0; c0 <= tune_floor(N - 1, 4); c0++)
        for (long c1 = c0; c1 <= tune_min(c0 + (M - 3) / 8 + 1, (2 * (long) N + M - 3) / 8); c1++) {
          if (M / 2 + 4 * c1 + 1 <= M + 4 * c0 && 4 * c0 + 4 <= N && 8 * c0 + 8 <= 8 * c1 && 8 * c1 + 9 <= M + 8 * c0) {
            for (long c2 = 4 * c0; c2 <= 4 * c0 + 3; c2++)
              for (long c3 = 8 * c1; c3 <= 8 * c1 + 7; c3++) {
                z[c3 - 2 * c2] = 0.25 * x[c3 - 2 * c2 - 1] + 0.5 * x[c3 - 2 * c2] + 0.25 * x[c3 - 2 * c2 + 1];
                x[c3 - 2 * c2 - 1] = 0.25 * z[c3 - 2 * c2 - 1 - 1] + 0.5 * z[c3 - 2 * c2 - 1] + 0.25 * z[c3 - 2 * c2 - 1 + 1];
              }
          } else {
            for (long c2 = tune_max(4 * c0, 4 * c1 - M + M / 2 + 1); c2 <= tune_min(N - 1, 4 * c0 + 3); c2++)
              for (long c3 = tune_max(8 * c1, 2 * c2 + 1); c3 <= tune_min(8 * c1 + 7, M + 2 * c2 - 1); c3++) {
                if (M + 2 * c2 >= c3 + 2)
                  z[c3 - 2 * c2] = 0.25 * x[c3 - 2 * c2 - 1] + 0.5 * x[c3 - 2 * c2] + 0.25 * x[c3 - 2 * c2 + 1];
                if (c3 >= 2 * c2 + 2)
                  x[c3 - 2 * c2 - 1] = 0.25 * z[c3 - 2 * c2 - 1 - 1] + 0.5 * z[c3 - 2 * c2 - 1] + 0.25 * z[c3 - 2 * c2 - 1 + 1];
              }
          }
        }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
