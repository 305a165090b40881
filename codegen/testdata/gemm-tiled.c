  /*
   * distributed; tiled, with full tiles apart; parallel and vector loops
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    #pragma omp parallel for
    for (long c0 = 0; c0 < N; c0++) {
      #pragma omp simd
      for (long c1 = 0; c1 < M; c1++)
        C[c0][c1] *= 0.7;
    }
    #pragma omp parallel for
    for (long c0 = 0; c0 <= tune_floor(N - 1, 32); c0++)
      for (long c1 = 0; c1 <= tune_floor(M - 1, 32); c1++)
        for (long c2 = 0; c2 <= (N - 1) / 32; c2++) {
          if (N >= 32 * c0 + 32 && M >= 32 * c1 + 32 && N >= 32 * c2 + 32) {
            for (long c3 = 0; c3 < 32; c3++)
              for (long c4 = 0; c4 < 32; c4++) {
                #pragma omp simd
                for (long c5 = 0; c5 < 32; c5++)
                  C[32 * c0 + c3][32 * c1 + c5] += 1.5 * A[32 * c0 + c3][32 * c2 + c4] * B[32 * c2 + c4][32 * c1 + c5];
              }
          } else {
            for (long c3 = 0; c3 <= tune_min(31, N - 32 * c0 - 1); c3++)
              for (long c4 = 0; c4 <= tune_min(31, N - 32 * c2 - 1); c4++) {
                #pragma omp simd
                for (long c5 = 0; c5 <= tune_min(31, M - 32 * c1 - 1); c5++)
                  C[32 * c0 + c3][32 * c1 + c5] += 1.5 * A[32 * c0 + c3][32 * c2 + c4] * B[32 * c2 + c4][32 * c1 + c5];
              }
          }
        }
  }
  #undef tune_min
  #undef tune_floor
