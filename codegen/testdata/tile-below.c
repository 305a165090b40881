  /*
   * a triangle whose inner loop starts at the outer one
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    #pragma omp parallel for
    for (long c0 = 0; c0 <= tune_floor(M - 1, 8); c0++)
      for (long c1 = 0; c1 < tune_floor((long) N + 2, 4); c1++)
        for (long c2 = c1 / 2; c2 <= (N - 1) / 8; c2++) {
          if (4 * c1 + 5 <= N && 4 * c1 + 4 <= 8 * c2 && 8 * c2 + 8 <= N && 8 * c0 + 8 <= M) {
            for (long c3 = 4 * c1; c3 <= 4 * c1 + 3; c3++)
              for (long c4 = 8 * c2; c4 <= 8 * c2 + 7; c4++) {
                #pragma omp simd
                for (long c5 = 8 * c0; c5 <= 8 * c0 + 7; c5++)
                  C[c3][c5] += A[c4][c3] * C[c4][c5];
              }
          } else {
            for (long c3 = 4 * c1; c3 <= tune_min(tune_min(N - 2, 4 * c1 + 3), 8 * c2 + 6); c3++)
              for (long c4 = tune_max(8 * c2, c3 + 1); c4 <= tune_min(N - 1, 8 * c2 + 7); c4++) {
                #pragma omp simd
                for (long c5 = 8 * c0; c5 <= tune_min(M - 1, 8 * c0 + 7); c5++)
                  C[c3][c5] += A[c4][c3] * C[c4][c5];
              }
          }
        }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
