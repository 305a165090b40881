  /*
   * a triangular domain; full tiles apart
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    #pragma omp parallel for
    for (long c0 = 0; c0 <= tune_floor(N - 1, 8); c0++)
      for (long c1 = 0; c1 <= c0; c1++)
        for (long c2 = c1; c2 <= c0; c2++) {
          if (N >= 8 * c0 + 8 && c2 >= c1 + 1 && c0 >= c2 + 1) {
            for (long c3 = 0; c3 < 8; c3++)
              for (long c4 = 0; c4 < 8; c4++) {
                #pragma omp simd
                for (long c5 = 0; c5 < 8; c5++)
                  C[8 * c0 + c3][8 * c1 + c5] += A[8 * c0 + c3][8 * c2 + c4] * B[8 * c2 + c4][8 * c1 + c5];
              }
          } else {
            for (long c3 = 0; c3 <= tune_min(7, N - 8 * c0 - 1); c3++)
              for (long c4 = 0; c4 <= tune_min(7, 8 * c0 - 8 * c2 + c3); c4++) {
                #pragma omp simd
                for (long c5 = 0; c5 <= tune_min(7, 8 * c2 - 8 * c1 + c4); c5++)
                  C[8 * c0 + c3][8 * c1 + c5] += A[8 * c0 + c3][8 * c2 + c4] * B[8 * c2 + c4][8 * c1 + c5];
              }
          }
        }
  }
  #undef tune_min
  #undef tune_floor
