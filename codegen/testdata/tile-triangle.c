  /*
   * triangular domains, as in trmm and lu
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = 0; c0 <= tune_floor(N - 1, 4); c0++) {
      #pragma omp parallel for
      for (long c1 = tune_max(0, c0 - ((long) N + 7) / 8 + 1); c1 <= tune_min(c0, (N - 1) / 8); c1++)
        for (long c2 = 0; c2 <= tune_min(tune_min(c1, c0 - c1), tune_floor(N - 2, 8)); c2++) {
          if (8 * c1 + 8 * c2 + 8 <= 8 * c0 && 8 * c0 + 8 <= N + 8 * c1 && 16 * c1 + 8 <= 8 * c0 && 8 * c2 + 8 <= 8 * c1) {
            for (long c3 = 8 * c0 - 8 * c1; c3 <= 8 * c0 - 8 * c1 + 7; c3++) {
              for (long c4 = 8 * c1; c4 <= 8 * c1 + 7; c4++) {
                for (long c5 = 8 * c2; c5 <= 8 * c2 + 7; c5++)
                  A[c3][c4] -= 0.125 * A[c3][c5] * A[c5][c4];
                if (c2 == c1)
                  A[c3][c4] *= A[c4][c4];
              }
            }
          } else {
            for (long c3 = tune_max(8 * c0 - 8 * c1, 8 * c2 + 1); c3 <= tune_min(N - 1, 8 * c0 - 8 * c1 + 7); c3++) {
              for (long c4 = 8 * c1; c4 <= tune_min(8 * c1 + 7, c3 - 1); c4++) {
                for (long c5 = 8 * c2; c5 <= tune_min(8 * c2 + 7, c4 - 1); c5++)
                  A[c3][c4] -= 0.125 * A[c3][c5] * A[c5][c4];
                if (c2 == c1)
                  A[c3][c4] *= A[c4][c4];
              }
              for (long c4 = tune_max(8 * c1, c3); c4 <= tune_min(N - 1, 8 * c1 + 7); c4++)
                for (long c5 = 8 * c2; c5 <= tune_min(8 * c2 + 7, c3 - 1); c5++)
                  A[c3][c4] -= 0.125 * A[c3][c5] * A[c5][c4];
            }
          }
        }
    }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
