  /*
   * a loop that counts down, and one that counts up
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = tune_floor(1 - (long) M, 8) - tune_floor(N - 2, 8) - 1; c0 < 1; c0++) {
      #pragma omp parallel for
      for (long c1 = tune_max(c0, tune_floor(1 - (long) M, 8)); c1 <= tune_min(0, c0 + tune_floor(N - 2, 8) + 1); c1++) {
        if (8 * c1 + 1 <= N + 8 * c0 && 8 * c0 + 7 <= 8 * c1 && 1 <= M + 8 * c1 && 8 * c1 + 7 <= 0) {
          for (long c2 = 8 * c0 - 8 * c1; c2 <= 8 * c0 - 8 * c1 + 7; c2++)
            for (long c3 = 8 * c1; c3 <= 8 * c1 + 7; c3++)
              A[-c2][-c3] = A[-c2 + 1][-c3] + 0.5 * A[-c2][-c3 + 1];
        } else {
          for (long c2 = tune_max(1 - (long) N, 8 * c0 - 8 * c1); c2 <= tune_min(0, 8 * c0 - 8 * c1 + 7); c2++)
            for (long c3 = tune_max(1 - (long) M, 8 * c1); c3 <= tune_min(0, 8 * c1 + 7); c3++)
              A[-c2][-c3] = A[-c2 + 1][-c3] + 0.5 * A[-c2][-c3 + 1];
        }
      }
    }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
