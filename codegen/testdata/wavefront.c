  /*
   * a skewed stencil in tiles, wavefronts of tiles in parallel
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = 0; c0 <= tune_floor(2 * (long) N + M - 3, 8); c0++) {
      #pragma omp parallel for
      for (long c1 = tune_max(c0 + tune_floor(-(long) N, 8) + 1, (c0 + 1) / 2); c1 <= tune_min(tune_min(c0, tune_floor((long) N + M - 2, 8)), tune_floor(M + 8 * c0 + 6, 16)); c1++)
        for (long c2 = tune_max(8 * c0 - 8 * c1, 8 * c1 - M + 1); c2 <= tune_min(tune_min(N - 1, 8 * c1 + 6), 8 * c0 - 8 * c1 + 7); c2++) {
          #pragma omp simd
          for (long c3 = tune_max(8 * c1, c2 + 1); c3 <= tune_min(8 * c1 + 7, M + c2 - 1); c3++)
            A[c2 + 1][c3 - c2] = 0.3 * (A[c2][c3 - c2 - 1] + A[c2][c3 - c2] + A[c2][c3 - c2 + 1]);
        }
    }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
