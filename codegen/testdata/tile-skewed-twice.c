  /*
   * the rows of seidel: three dimensions, two skewed
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = 0; c0 < tune_floor(2 * (long) N + M + 4, 8); c0++) {
      #pragma omp parallel for
      for (long c1 = tune_max(c0 + tune_floor(-(long) N, 8) + 1, (c0 + 1) / 2); c1 <= tune_min(tune_min(c0, tune_floor((long) N + M - 3, 8)), tune_floor(M + 8 * c0 + 5, 16)); c1++)
        for (long c2 = tune_max(c0, 2 * c1 + tune_floor(3 - (long) M, 8)); c2 <= tune_min(tune_min(tune_min(2 * c0 - 2 * c1 + ((long) M + 5) / 4, ((long) N + M + 1) / 4 - 1), 2 * c1 + ((long) M + 11) / 8), tune_min(c0 + ((long) M + 12) / 8, c1 + ((long) N + M + 4) / 8)); c2++) {
          if (16 * c1 + 9 <= M + 8 * c0 && 8 * c2 + 9 <= M + 8 * c0 && 8 * c1 + 4 * c2 + 2 <= M + 8 * c0 && 8 * c0 + 8 <= N + 8 * c1 && 8 * c0 + 8 <= 16 * c1 && 8 * c0 + 5 <= 8 * c1 + 4 * c2 && 8 * c0 + 15 <= 8 * c2) {
            for (long c3 = 8 * c0 - 8 * c1; c3 <= 8 * c0 - 8 * c1 + 7; c3++)
              for (long c4 = 8 * c1; c4 <= 8 * c1 + 7; c4++)
                for (long c5 = 8 * c2; c5 <= 8 * c2 + 7; c5++)
                  A[c4 - c3][c5 - c3 - c4] = 0.5 * A[c4 - c3][c5 - c3 - c4] + 0.125 * (A[c4 - c3 - 1][c5 - c3 - c4 + 1] + A[c4 - c3][c5 - c3 - c4 - 1] + A[c4 - c3 + 1][c5 - c3 - c4] + A[c4 - c3 + 1][c5 - c3 - c4 + 1]);
          } else {
            for (long c3 = tune_max(tune_max(8 * c0 - 8 * c1, 8 * c1 - M + 2), tune_max(8 * c2 - M - 8 * c1 - 5, 4 * c2 - M + 2)); c3 <= tune_min(tune_min(tune_min(N - 1, 8 * c1 + 6), 8 * c0 - 8 * c1 + 7), tune_min(4 * c2 + 2, 8 * c2 - 8 * c1 + 6)); c3++)
              for (long c4 = tune_max(tune_max(8 * c1, c3 + 1), 8 * c2 - M - c3 + 2); c4 <= tune_min(tune_min(8 * c1 + 7, M + c3 - 2), 8 * c2 - c3 + 6); c4++)
                for (long c5 = tune_max(8 * c2, c3 + c4 + 1); c5 <= tune_min(8 * c2 + 7, M + c3 + c4 - 2); c5++)
                  A[c4 - c3][c5 - c3 - c4] = 0.5 * A[c4 - c3][c5 - c3 - c4] + 0.125 * (A[c4 - c3 - 1][c5 - c3 - c4 + 1] + A[c4 - c3][c5 - c3 - c4 - 1] + A[c4 - c3 + 1][c5 - c3 - c4] + A[c4 - c3 + 1][c5 - c3 - c4 + 1]);
          }
        }
    }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
