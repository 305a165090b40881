  /*
   * a coefficient that is not one: the points of a tile have gaps
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = tune_floor(1 - (long) M, 8); c0 <= tune_floor(N - 1, 4); c0++)
      for (long c1 = tune_max(0, -c0 - 1); c1 <= tune_min(tune_floor(N - 1, 4) - c0, tune_floor(M - 1, 8)); c1++) {
        if (1 <= M + 8 * c0 && 0 <= 8 * c0 + 8 * c1 + 7 && 8 * c0 + 8 * c1 + 9 <= 2 * (long) N && 8 * c1 + 2 <= M) {
          for (long c2 = 8 * c0; c2 <= 8 * c0 + 7; c2++)
            for (long c3 = tune_max(-c2, 8 * c1 - c2 + 2 * tune_floor(c2 + 1, 2)); c3 <= tune_min(tune_min(M - 1, 8 * c1 + 7), 2 * (long) N - c2 - 2); c3 += 2)
              A[(c2 + c3) / 2][c3] += 1.0;
        } else {
          for (long c2 = tune_max(tune_max(1 - (long) M, 8 * c0), -8 * c1 - 7); c2 <= tune_min(tune_min(8 * c0 + 7, 2 * (long) N - 8 * c1 - 2), M + 8 * c0 - 8 * c1 + 5); c2++)
            for (long c3 = tune_max(-c2, 8 * c1 - c2 + 2 * tune_floor(c2 + 1, 2)); c3 <= tune_min(tune_min(M - 1, 8 * c1 + 7), 2 * (long) N - c2 - 2); c3 += 2)
              A[(c2 + c3) / 2][c3] += 1.0;
        }
      }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
