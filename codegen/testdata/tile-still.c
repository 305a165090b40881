  /*
   * a statement that stands still at the first iteration of the innermost loop
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    #pragma omp parallel for
    for (long c0 = 0; c0 <= tune_floor(N - 1, 8); c0++)
      for (long c1 = 0; c1 <= tune_floor(M - 1, 8); c1++) {
        if (8 * c0 + 8 <= N && 8 * c1 + 8 <= M && 8 <= N) {
          for (long c3 = 8 * c0; c3 <= 8 * c0 + 7; c3++) {
            #pragma omp simd
            for (long c5 = 8 * c1; c5 <= 8 * c1 + 7; c5++) {
              C[c3][c5] *= 0.7;
              C[c3][c5] += 1.5 * A[c3][0] * B[0][c5];
            }
            for (long c4 = 1; c4 < 8; c4++) {
              #pragma omp simd
              for (long c5 = 8 * c1; c5 <= 8 * c1 + 7; c5++)
                C[c3][c5] += 1.5 * A[c3][c4] * B[c4][c5];
            }
          }
        } else {
          for (long c3 = 8 * c0; c3 <= tune_min(N - 1, 8 * c0 + 7); c3++) {
            #pragma omp simd
            for (long c5 = 8 * c1; c5 <= tune_min(M - 1, 8 * c1 + 7); c5++) {
              C[c3][c5] *= 0.7;
              C[c3][c5] += 1.5 * A[c3][0] * B[0][c5];
            }
            for (long c4 = 1; c4 <= tune_min(7, N - 1); c4++) {
              #pragma omp simd
              for (long c5 = 8 * c1; c5 <= tune_min(M - 1, 8 * c1 + 7); c5++)
                C[c3][c5] += 1.5 * A[c3][c4] * B[c4][c5];
            }
          }
        }
        for (long c2 = 1; c2 <= (N - 1) / 8; c2++) {
          if (8 * c0 + 8 <= N && 8 * c2 + 8 <= N && 8 * c1 + 8 <= M) {
            for (long c3 = 8 * c0; c3 <= 8 * c0 + 7; c3++)
              for (long c4 = 8 * c2; c4 <= 8 * c2 + 7; c4++) {
                #pragma omp simd
                for (long c5 = 8 * c1; c5 <= 8 * c1 + 7; c5++)
                  C[c3][c5] += 1.5 * A[c3][c4] * B[c4][c5];
              }
          } else {
            for (long c3 = 8 * c0; c3 <= tune_min(N - 1, 8 * c0 + 7); c3++)
              for (long c4 = 8 * c2; c4 <= tune_min(N - 1, 8 * c2 + 7); c4++) {
                #pragma omp simd
                for (long c5 = 8 * c1; c5 <= tune_min(M - 1, 8 * c1 + 7); c5++)
                  C[c3][c5] += 1.5 * A[c3][c4] * B[c4][c5];
              }
          }
        }
      }
  }
  #undef tune_min
  #undef tune_floor
