  /*
   * fused statements with different bounds
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  {
    if (N >= 1 && M >= 1) {
      #pragma omp parallel for
      for (long c0 = 0; c0 < ((long) ((M - 1) % 8) + N >= (long) M + 8 ? ((long) N + 7) / 8 : ((long) M + 7) / 8); c0++)
        for (long c1 = 0; c1 < ((M >= 8 * c0 + 1 && 8 * c0 >= N) || (M >= 8 * c0 + 1 && (long) ((M - 1) % 8) + N >= (long) M + 8) ? ((long) N + 7) / 8 : ((long) M + 7) / 8); c1++) {
          if (8 * c0 + 8 <= N && 8 * c1 + 8 <= M && 8 * c0 + 8 <= M && 8 * c1 + 8 <= N) {
            if (M >= 8 * c1 + 1) {
              for (long c2 = 8 * c0; c2 <= 8 * c0 + 7; c2++) {
                #pragma omp simd
                for (long c3 = 8 * c1; c3 <= 8 * c1 + 7; c3++) {
                  C[c2][c3] = 0.5 * A[c2][c3];
                  B[c2][c3] = C[c2][c3] + 1.0;
                }
              }
            } else {
              for (long c2 = 8 * c0; c2 <= 8 * c0 + 7; c2++) {
                #pragma omp simd
                for (long c3 = 8 * c1; c3 <= 8 * c1 + 7; c3++)
                  B[c2][c3] = C[c2][c3] + 1.0;
              }
            }
          } else {
            if (M >= 8 * c1 + 1) {
              for (long c2 = 8 * c0; c2 <= tune_min(N - 1, 8 * c0 + 7); c2++) {
                #pragma omp simd
                for (long c3 = 8 * c1; c3 <= tune_min(M - 1, 8 * c1 + 7); c3++) {
                  C[c2][c3] = 0.5 * A[c2][c3];
                  if (M >= c2 + 1 && N >= c3 + 1)
                    B[c2][c3] = C[c2][c3] + 1.0;
                }
                if (M >= c2 + 1) {
                  #pragma omp simd
                  for (long c3 = M; c3 <= tune_min(N - 1, 8 * c1 + 7); c3++)
                    B[c2][c3] = C[c2][c3] + 1.0;
                }
              }
              for (long c2 = tune_max(N, 8 * c0); c2 <= tune_min(M - 1, 8 * c0 + 7); c2++) {
                #pragma omp simd
                for (long c3 = 8 * c1; c3 <= tune_min(N - 1, 8 * c1 + 7); c3++)
                  B[c2][c3] = C[c2][c3] + 1.0;
              }
            } else {
              for (long c2 = 8 * c0; c2 <= tune_min(M - 1, 8 * c0 + 7); c2++) {
                #pragma omp simd
                for (long c3 = 8 * c1; c3 <= tune_min(N - 1, 8 * c1 + 7); c3++)
                  B[c2][c3] = C[c2][c3] + 1.0;
              }
            }
          }
        }
    }
  }
  #undef tune_min
  #undef tune_max
