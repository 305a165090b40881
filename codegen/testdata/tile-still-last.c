  /*
   * a statement that runs at the last iteration, beyond those of the other
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    #pragma omp parallel for
    for (long c0 = 0; c0 <= tune_floor(N - 1, 8); c0++)
      for (long c1 = 0; c1 <= (N - 1) / 4; c1++) {
        for (long c2 = 0; c2 < tune_floor(M, 8); c2++) {
          if (8 * c0 + 8 <= N && 4 * c1 + 4 <= N) {
            for (long c3 = 8 * c0; c3 <= 8 * c0 + 7; c3++)
              for (long c4 = 8 * c2; c4 <= 8 * c2 + 7; c4++) {
                #pragma omp simd
                for (long c5 = 4 * c1; c5 <= 4 * c1 + 3; c5++)
                  C[c3][c5] += A[c3][c4];
              }
          } else {
            for (long c3 = 8 * c0; c3 <= tune_min(N - 1, 8 * c0 + 7); c3++)
              for (long c4 = 8 * c2; c4 <= 8 * c2 + 7; c4++) {
                #pragma omp simd
                for (long c5 = 4 * c1; c5 <= tune_min(N - 1, 4 * c1 + 3); c5++)
                  C[c3][c5] += A[c3][c4];
              }
          }
        }
        if (8 * c0 + 8 <= N && 4 * c1 + 4 <= N) {
          for (long c3 = 8 * c0; c3 <= 8 * c0 + 7; c3++) {
            for (long c4 = tune_max(0, -8 * tune_floor(-(long) M - 1, 8) - 8); c4 < M; c4++) {
              #pragma omp simd
              for (long c5 = 4 * c1; c5 <= 4 * c1 + 3; c5++)
                C[c3][c5] += A[c3][c4];
            }
            #pragma omp simd
            for (long c5 = 4 * c1; c5 <= 4 * c1 + 3; c5++)
              B[c3][c5] = C[c3][c5];
          }
        } else {
          for (long c3 = 8 * c0; c3 <= tune_min(N - 1, 8 * c0 + 7); c3++) {
            for (long c4 = tune_max(0, -8 * tune_floor(-(long) M - 1, 8) - 8); c4 < M; c4++) {
              #pragma omp simd
              for (long c5 = 4 * c1; c5 <= tune_min(N - 1, 4 * c1 + 3); c5++)
                C[c3][c5] += A[c3][c4];
            }
            #pragma omp simd
            for (long c5 = 4 * c1; c5 <= tune_min(N - 1, 4 * c1 + 3); c5++)
              B[c3][c5] = C[c3][c5];
          }
        }
      }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
