  /*
   * a stencil in skewed tiles, wavefronts of them in parallel
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = 0; c0 < tune_floor(3 * (long) N + M + 3, 8); c0++) {
      #pragma omp parallel for
      for (long c1 = tune_max(c0 + tune_floor(-(long) N, 4) + 1, (c0 + 1) / 3); c1 <= tune_min(tune_min(c0, tune_floor((long) N + M - 3, 8)), tune_floor(M + 4 * c0 + 1, 12)); c1++) {
        if (12 * c1 + 9 <= M + 4 * c0 && 4 * c0 + 4 <= N + 4 * c1 && 4 * c0 + 4 <= 12 * c1) {
          for (long c2 = 4 * c0 - 4 * c1; c2 <= 4 * c0 - 4 * c1 + 3; c2++)
            for (long c3 = 8 * c1; c3 <= 8 * c1 + 7; c3++)
              x[c3 - c2] = 0.25 * x[c3 - c2 - 1] + 0.5 * x[c3 - c2] + 0.25 * x[c3 - c2 + 1];
        } else {
          for (long c2 = tune_max(4 * c0 - 4 * c1, 8 * c1 - M + 2); c2 <= tune_min(tune_min(N - 1, 4 * c0 - 4 * c1 + 3), 8 * c1 + 6); c2++)
            for (long c3 = tune_max(8 * c1, c2 + 1); c3 <= tune_min(8 * c1 + 7, M + c2 - 2); c3++)
              x[c3 - c2] = 0.25 * x[c3 - c2 - 1] + 0.5 * x[c3 - c2] + 0.25 * x[c3 - c2 + 1];
        }
      }
    }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
