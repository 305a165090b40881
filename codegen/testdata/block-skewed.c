  /*
   * rows that run beside each other, skewed by two: bounds of a block's loop are quotients
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = 0; c0 < tune_floor(5 * (long) N + 13 * (long) M + 17, 40); c0++) {
      #pragma omp parallel for
      for (long c1 = tune_max(c0 + tune_floor(-(long) M, 5) + 1, (5 * c0 + 6) / 13); c1 <= tune_min(tune_min(c0, tune_floor((long) N + M - 3, 8)), tune_floor(N + 5 * c0 + 2, 13)); c1++)
        for (long c2 = tune_max(tune_max(c1 + (5 * c0 - 5 * c1 + 1) / 16, c1 + tune_floor(8 * c1 - N + 3, 16)), c0 - c1 - (c0 - c1 + 12) / 16); c2 <= tune_min(tune_min(tune_min(c1 + ((long) N + M + 11) / 16, (3 * (long) N + 3 * (long) M + 7) / 16 - 1), c1 + (N + 5 * c0 - 5 * c1 + 16) / 16), tune_min(c1 + (N + 8 * c1 + 18) / 16, c0 - c1 + tune_floor(3 * (long) N - c0 + c1 + 6, 16))); c2++)
          for (long c3 = tune_max(tune_max(tune_max(2 * c1, 2 * c2 - ((long) N + M + 3) / 8), c0 - c1 + (c0 - c1 + 1) / 4), tune_max(c1 - c0 + 2 * c2 + tune_floor(3 * c0 - N - 3 * c1 - 1, 8), c2 + tune_floor(4 * c2 - N + 5, 12))); c3 <= tune_min(tune_min(tune_min(2 * c1 + 1, ((long) N + M + 1) / 4 - 1), c0 - c1 + (N + c0 - c1 + 2) / 4), tune_min(c1 - c0 + 2 * c2 + (3 * c0 - 3 * c1 + 6) / 8 + 1, c2 + (N + 4 * c2 + 12) / 12)); c3++)
            for (long c4 = tune_max(tune_max(5 * c0 - 5 * c1, 16 * c2 - N - 8 * c3 - 4), tune_max(4 * c3 - N + 2, 5 * c2 - N + (c2 + 2) / 3 + 2)); c4 <= tune_min(tune_min(tune_min(M - 1, 5 * c0 - 5 * c1 + 4), 4 * c3 + 2), tune_min(16 * c2 - 8 * c3 + 14, 5 * c2 + c2 / 3 + 4)); c4++) {
              if (c4 + 1 <= 4 * c3 && 4 * c3 + 5 <= N + c4) {
                {
                  const long tune_first = tune_max(tune_max(16 * c2, 8 * c3 + c4 + 1), tune_max(3 * c4 + 3, 8 * c3 + c4 + 7));
                  const long tune_last = tune_min(tune_min(16 * c2 + 15, 3 * (long) N + 3 * c4 - 6), tune_min(N + 8 * c3 + c4 + 4, N + 8 * c3 + c4 - 2));
                  if (tune_first <= tune_last) {
                    for (long c5 = tune_max(tune_max(16 * c2, 8 * c3 + c4 + 1), 3 * c4 + 3); c5 <= tune_first - 1; c5++)
                      for (long c6 = tune_max(tune_max(4 * c3, c4 + 1), (N + c4 + c5 + 1) / 2 - N - c4 + 1); c6 <= tune_min(tune_min(4 * c3 + 3, N + c4 - 2), (c4 + c5 + 1) / 2 - c4 - 1); c6++)
                        B[c6 - c4][c5 - c4 - 2 * c6] = 0.2 * (B[c6 - c4 - 1][c5 - c4 - 2 * c6 - 1] + B[c6 - c4 - 1][c5 - c4 - 2 * c6 + 1] + B[c6 - c4][c5 - c4 - 2 * c6 - 1] + B[c6 - c4 + 1][c5 - c4 - 2 * c6] + B[c6 - c4 + 1][c5 - c4 - 2 * c6 - 1]) + (int) c4;
                    for (long c5 = tune_first; c5 <= tune_last; c5++) {
                      B[4 * c3 - 1 * c4][c5 - 8 * c3 - 1 * c4] = 0.2 * (B[4 * c3 - 1 * c4 - 1][c5 - 8 * c3 - 1 * c4 - 1] + B[4 * c3 - 1 * c4 - 1][c5 - 8 * c3 - 1 * c4 + 1] + B[4 * c3 - 1 * c4][c5 - 8 * c3 - 1 * c4 - 1] + B[4 * c3 - 1 * c4 + 1][c5 - 8 * c3 - 1 * c4] + B[4 * c3 - 1 * c4 + 1][c5 - 8 * c3 - 1 * c4 - 1]) + (int) c4;
                      B[4 * c3 - 1 * c4 + 1][c5 - 8 * c3 - 1 * c4 - 2] = 0.2 * (B[4 * c3 - 1 * c4 + 1 - 1][c5 - 8 * c3 - 1 * c4 - 2 - 1] + B[4 * c3 - 1 * c4 + 1 - 1][c5 - 8 * c3 - 1 * c4 - 2 + 1] + B[4 * c3 - 1 * c4 + 1][c5 - 8 * c3 - 1 * c4 - 2 - 1] + B[4 * c3 - 1 * c4 + 1 + 1][c5 - 8 * c3 - 1 * c4 - 2] + B[4 * c3 - 1 * c4 + 1 + 1][c5 - 8 * c3 - 1 * c4 - 2 - 1]) + (int) c4;
                      B[4 * c3 - 1 * c4 + 2][c5 - 8 * c3 - 1 * c4 - 4] = 0.2 * (B[4 * c3 - 1 * c4 + 2 - 1][c5 - 8 * c3 - 1 * c4 - 4 - 1] + B[4 * c3 - 1 * c4 + 2 - 1][c5 - 8 * c3 - 1 * c4 - 4 + 1] + B[4 * c3 - 1 * c4 + 2][c5 - 8 * c3 - 1 * c4 - 4 - 1] + B[4 * c3 - 1 * c4 + 2 + 1][c5 - 8 * c3 - 1 * c4 - 4] + B[4 * c3 - 1 * c4 + 2 + 1][c5 - 8 * c3 - 1 * c4 - 4 - 1]) + (int) c4;
                      B[4 * c3 - 1 * c4 + 3][c5 - 8 * c3 - 1 * c4 - 6] = 0.2 * (B[4 * c3 - 1 * c4 + 3 - 1][c5 - 8 * c3 - 1 * c4 - 6 - 1] + B[4 * c3 - 1 * c4 + 3 - 1][c5 - 8 * c3 - 1 * c4 - 6 + 1] + B[4 * c3 - 1 * c4 + 3][c5 - 8 * c3 - 1 * c4 - 6 - 1] + B[4 * c3 - 1 * c4 + 3 + 1][c5 - 8 * c3 - 1 * c4 - 6] + B[4 * c3 - 1 * c4 + 3 + 1][c5 - 8 * c3 - 1 * c4 - 6 - 1]) + (int) c4;
                    }
                    for (long c5 = tune_last + 1; c5 <= tune_min(tune_min(16 * c2 + 15, 3 * (long) N + 3 * c4 - 6), N + 8 * c3 + c4 + 4); c5++)
                      for (long c6 = tune_max(tune_max(4 * c3, c4 + 1), (N + c4 + c5 + 1) / 2 - N - c4 + 1); c6 <= tune_min(tune_min(4 * c3 + 3, N + c4 - 2), (c4 + c5 + 1) / 2 - c4 - 1); c6++)
                        B[c6 - c4][c5 - c4 - 2 * c6] = 0.2 * (B[c6 - c4 - 1][c5 - c4 - 2 * c6 - 1] + B[c6 - c4 - 1][c5 - c4 - 2 * c6 + 1] + B[c6 - c4][c5 - c4 - 2 * c6 - 1] + B[c6 - c4 + 1][c5 - c4 - 2 * c6] + B[c6 - c4 + 1][c5 - c4 - 2 * c6 - 1]) + (int) c4;
                  } else {
                    for (long c5 = tune_max(tune_max(16 * c2, 8 * c3 + c4 + 1), 3 * c4 + 3); c5 <= tune_min(tune_min(16 * c2 + 15, 3 * (long) N + 3 * c4 - 6), N + 8 * c3 + c4 + 4); c5++)
                      for (long c6 = tune_max(tune_max(4 * c3, c4 + 1), (N + c4 + c5 + 1) / 2 - N - c4 + 1); c6 <= tune_min(tune_min(4 * c3 + 3, N + c4 - 2), (c4 + c5 + 1) / 2 - c4 - 1); c6++)
                        B[c6 - c4][c5 - c4 - 2 * c6] = 0.2 * (B[c6 - c4 - 1][c5 - c4 - 2 * c6 - 1] + B[c6 - c4 - 1][c5 - c4 - 2 * c6 + 1] + B[c6 - c4][c5 - c4 - 2 * c6 - 1] + B[c6 - c4 + 1][c5 - c4 - 2 * c6] + B[c6 - c4 + 1][c5 - c4 - 2 * c6 - 1]) + (int) c4;
                  }
                }
              } else {
                for (long c5 = tune_max(tune_max(16 * c2, 8 * c3 + c4 + 1), 3 * c4 + 3); c5 <= tune_min(tune_min(16 * c2 + 15, 3 * (long) N + 3 * c4 - 6), N + 8 * c3 + c4 + 4); c5++)
                  for (long c6 = tune_max(tune_max(4 * c3, c4 + 1), (N + c4 + c5 + 1) / 2 - N - c4 + 1); c6 <= tune_min(tune_min(4 * c3 + 3, N + c4 - 2), (c4 + c5 + 1) / 2 - c4 - 1); c6++)
                    B[c6 - c4][c5 - c4 - 2 * c6] = 0.2 * (B[c6 - c4 - 1][c5 - c4 - 2 * c6 - 1] + B[c6 - c4 - 1][c5 - c4 - 2 * c6 + 1] + B[c6 - c4][c5 - c4 - 2 * c6 - 1] + B[c6 - c4 + 1][c5 - c4 - 2 * c6] + B[c6 - c4 + 1][c5 - c4 - 2 * c6 - 1]) + (int) c4;
              }
            }
    }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
