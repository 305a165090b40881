  /*
   * tiles of tiles
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    #pragma omp parallel for
    for (long c0 = 0; c0 <= tune_floor(N - 1, 8); c0++)
      for (long c1 = 0; c1 <= tune_floor(M - 1, 16); c1++)
        for (long c2 = 2 * c0; c2 <= tune_min(2 * c0 + 1, (N - 1) / 4); c2++)
          for (long c3 = 4 * c1; c3 <= tune_min(4 * c1 + 3, (M - 1) / 4); c3++) {
            if (4 * c2 + 4 <= N && 4 * c3 + 4 <= M) {
              for (long c4 = 4 * c2; c4 <= 4 * c2 + 3; c4++) {
                #pragma omp simd
                for (long c5 = 4 * c3; c5 <= 4 * c3 + 3; c5++)
                  C[c4][c5] *= 0.7;
              }
            } else {
              for (long c4 = 4 * c2; c4 <= tune_min(N - 1, 4 * c2 + 3); c4++) {
                #pragma omp simd
                for (long c5 = 4 * c3; c5 <= tune_min(M - 1, 4 * c3 + 3); c5++)
                  C[c4][c5] *= 0.7;
              }
            }
          }
  }
  #undef tune_min
  #undef tune_floor
