  /*
   * a rectangular domain, the middle loop sunk
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = 0; c0 < N; c0++)
      for (long c1 = 0; c1 < M; c1++)
        C[c0][c1] *= 0.7;
    #pragma omp parallel for
    for (long c0 = 0; c0 <= tune_floor(N - 1, 4); c0++)
      for (long c1 = 0; c1 <= tune_floor(M - 1, 8); c1++)
        for (long c2 = 0; c2 <= (N - 1) / 5; c2++) {
          if (4 * c0 + 4 <= N && 5 * c2 + 5 <= N && 8 * c1 + 8 <= M) {
            for (long c3 = 4 * c0; c3 <= 4 * c0 + 3; c3++)
              for (long c4 = 5 * c2; c4 <= 5 * c2 + 4; c4++) {
                #pragma omp simd
                for (long c5 = 8 * c1; c5 <= 8 * c1 + 7; c5++)
                  C[c3][c5] += 1.5 * A[c3][c4] * B[c4][c5];
              }
          } else {
            for (long c3 = 4 * c0; c3 <= tune_min(N - 1, 4 * c0 + 3); c3++)
              for (long c4 = 5 * c2; c4 <= tune_min(N - 1, 5 * c2 + 4); c4++) {
                #pragma omp simd
                for (long c5 = 8 * c1; c5 <= tune_min(M - 1, 8 * c1 + 7); c5++)
                  C[c3][c5] += 1.5 * A[c3][c4] * B[c4][c5];
              }
          }
        }
  }
  #undef tune_min
  #undef tune_floor
