  /*
   * time steps and rows beside each other, with a stream of which three iterations make a row
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    for (long c0 = 0; c0 < tune_floor((long) M + 1, 2); c0++)
      for (long c1 = c0 - (c0 + 1) / 3; c1 <= tune_min(tune_floor((long) N + M, 3) - 1, c0 + tune_floor(N - c0 - 1, 3)); c1++) {
        if (3 * c1 + 4 <= N + 2 * c0 && 2 * c0 + 2 <= M && 2 * c0 + 2 <= 3 * c1) {
          {
            const long tune_first = tune_max(tune_max(tune_max(10 * c0 + 4, 4 * c0 + 9 * c1 + 1), 15 * c1 - 2 * (long) N + 5), tune_max(tune_max(4 * c0 + 9 * c1 + 3, 10 * c0 + 9), 4 * c0 + 9 * c1 + 10));
            const long tune_last = tune_min(tune_min(tune_min(4 * (long) N + 5 * (long) M - 13, 4 * (long) N + 10 * c0 - 3), tune_min(N + 2 * (long) M + 9 * c1 + 2, N + 15 * c1 + 6)), tune_min(tune_min(N + 4 * c0 + 9 * c1 + 6, N + 4 * c0 + 9 * c1 + 4), tune_min(4 * (long) N + 10 * c0 - 8, N + 4 * c0 + 9 * c1 - 3)));
            if (tune_first <= tune_last) {
              for (long c2 = tune_max(tune_max(10 * c0 + 4, 4 * c0 + 9 * c1 + 1), 15 * c1 - 2 * (long) N + 5); c2 <= tune_first - 1; c2++)
                for (long c3 = tune_max(tune_max(2 * c0, 3 * c1 - N + 2), tune_max((N + c1 + c2 + 1) / 2 - N - 5 * c1 - 2, (N + c2 + 2) / 5 - N + 2)); c3 <= tune_min(tune_min(tune_min(M - 1, 2 * c0 + 1), 3 * c1 + 1), tune_min((c1 + c2 + 1) / 2 - 5 * c1 - 1, (c2 + 1) / 5 - 1)); c3++)
                  for (long c4 = tune_max(tune_max(3 * c1, c3 + 1), tune_floor(c2 - N + c3 + 1, 3) - c3 + 1); c4 <= tune_min(tune_min(3 * c1 + 2, N + c3 - 2), (c2 + c3 - 1) / 3 - c3); c4++)
                    B[c4 - c3][c2 - 2 * c3 - 3 * c4] = 0.2 * (B[c4 - c3 - 1][c2 - 2 * c3 - 3 * c4 - 1] + B[c4 - c3 - 1][c2 - 2 * c3 - 3 * c4 + 1] + B[c4 - c3][c2 - 2 * c3 - 3 * c4 - 1] + B[c4 - c3 + 1][c2 - 2 * c3 - 3 * c4] + B[c4 - c3 + 1][c2 - 2 * c3 - 3 * c4 - 1]) + (int) c3;
              for (long c2 = tune_first; c2 <= tune_last; c2++) {
                B[3 * c1 - 2 * c0][c2 - 4 * c0 - 9 * c1] = 0.2 * (B[3 * c1 - 2 * c0 - 1][c2 - 4 * c0 - 9 * c1 - 1] + B[3 * c1 - 2 * c0 - 1][c2 - 4 * c0 - 9 * c1 + 1] + B[3 * c1 - 2 * c0][c2 - 4 * c0 - 9 * c1 - 1] + B[3 * c1 - 2 * c0 + 1][c2 - 4 * c0 - 9 * c1] + B[3 * c1 - 2 * c0 + 1][c2 - 4 * c0 - 9 * c1 - 1]) + (int) (2 * c0);
                B[3 * c1 - 2 * c0 + 1][c2 - 4 * c0 - 9 * c1 - 3] = 0.2 * (B[3 * c1 - 2 * c0 + 1 - 1][c2 - 4 * c0 - 9 * c1 - 3 - 1] + B[3 * c1 - 2 * c0 + 1 - 1][c2 - 4 * c0 - 9 * c1 - 3 + 1] + B[3 * c1 - 2 * c0 + 1][c2 - 4 * c0 - 9 * c1 - 3 - 1] + B[3 * c1 - 2 * c0 + 1 + 1][c2 - 4 * c0 - 9 * c1 - 3] + B[3 * c1 - 2 * c0 + 1 + 1][c2 - 4 * c0 - 9 * c1 - 3 - 1]) + (int) (2 * c0);
                B[3 * c1 - 2 * c0 + 2][c2 - 4 * c0 - 9 * c1 - 6] = 0.2 * (B[3 * c1 - 2 * c0 + 2 - 1][c2 - 4 * c0 - 9 * c1 - 6 - 1] + B[3 * c1 - 2 * c0 + 2 - 1][c2 - 4 * c0 - 9 * c1 - 6 + 1] + B[3 * c1 - 2 * c0 + 2][c2 - 4 * c0 - 9 * c1 - 6 - 1] + B[3 * c1 - 2 * c0 + 2 + 1][c2 - 4 * c0 - 9 * c1 - 6] + B[3 * c1 - 2 * c0 + 2 + 1][c2 - 4 * c0 - 9 * c1 - 6 - 1]) + (int) (2 * c0);
                B[3 * c1 - 2 * c0 - 1][c2 - 4 * c0 - 9 * c1 - 2] = 0.2 * (B[3 * c1 - 2 * c0 - 1 - 1][c2 - 4 * c0 - 9 * c1 - 2 - 1] + B[3 * c1 - 2 * c0 - 1 - 1][c2 - 4 * c0 - 9 * c1 - 2 + 1] + B[3 * c1 - 2 * c0 - 1][c2 - 4 * c0 - 9 * c1 - 2 - 1] + B[3 * c1 - 2 * c0 - 1 + 1][c2 - 4 * c0 - 9 * c1 - 2] + B[3 * c1 - 2 * c0 - 1 + 1][c2 - 4 * c0 - 9 * c1 - 2 - 1]) + (int) (2 * c0 + 1);
                B[3 * c1 - 2 * c0][c2 - 4 * c0 - 9 * c1 - 5] = 0.2 * (B[3 * c1 - 2 * c0 - 1][c2 - 4 * c0 - 9 * c1 - 5 - 1] + B[3 * c1 - 2 * c0 - 1][c2 - 4 * c0 - 9 * c1 - 5 + 1] + B[3 * c1 - 2 * c0][c2 - 4 * c0 - 9 * c1 - 5 - 1] + B[3 * c1 - 2 * c0 + 1][c2 - 4 * c0 - 9 * c1 - 5] + B[3 * c1 - 2 * c0 + 1][c2 - 4 * c0 - 9 * c1 - 5 - 1]) + (int) (2 * c0 + 1);
                B[3 * c1 - 2 * c0 + 1][c2 - 4 * c0 - 9 * c1 - 8] = 0.2 * (B[3 * c1 - 2 * c0 + 1 - 1][c2 - 4 * c0 - 9 * c1 - 8 - 1] + B[3 * c1 - 2 * c0 + 1 - 1][c2 - 4 * c0 - 9 * c1 - 8 + 1] + B[3 * c1 - 2 * c0 + 1][c2 - 4 * c0 - 9 * c1 - 8 - 1] + B[3 * c1 - 2 * c0 + 1 + 1][c2 - 4 * c0 - 9 * c1 - 8] + B[3 * c1 - 2 * c0 + 1 + 1][c2 - 4 * c0 - 9 * c1 - 8 - 1]) + (int) (2 * c0 + 1);
              }
              for (long c2 = tune_last + 1; c2 <= tune_min(tune_min(tune_min(4 * (long) N + 5 * (long) M - 13, 4 * (long) N + 10 * c0 - 3), N + 2 * (long) M + 9 * c1 + 2), tune_min(N + 15 * c1 + 6, N + 4 * c0 + 9 * c1 + 6)); c2++)
                for (long c3 = tune_max(tune_max(2 * c0, 3 * c1 - N + 2), tune_max((N + c1 + c2 + 1) / 2 - N - 5 * c1 - 2, (N + c2 + 2) / 5 - N + 2)); c3 <= tune_min(tune_min(tune_min(M - 1, 2 * c0 + 1), 3 * c1 + 1), tune_min((c1 + c2 + 1) / 2 - 5 * c1 - 1, (c2 + 1) / 5 - 1)); c3++)
                  for (long c4 = tune_max(tune_max(3 * c1, c3 + 1), tune_floor(c2 - N + c3 + 1, 3) - c3 + 1); c4 <= tune_min(tune_min(3 * c1 + 2, N + c3 - 2), (c2 + c3 - 1) / 3 - c3); c4++)
                    B[c4 - c3][c2 - 2 * c3 - 3 * c4] = 0.2 * (B[c4 - c3 - 1][c2 - 2 * c3 - 3 * c4 - 1] + B[c4 - c3 - 1][c2 - 2 * c3 - 3 * c4 + 1] + B[c4 - c3][c2 - 2 * c3 - 3 * c4 - 1] + B[c4 - c3 + 1][c2 - 2 * c3 - 3 * c4] + B[c4 - c3 + 1][c2 - 2 * c3 - 3 * c4 - 1]) + (int) c3;
            } else {
              for (long c2 = tune_max(tune_max(10 * c0 + 4, 4 * c0 + 9 * c1 + 1), 15 * c1 - 2 * (long) N + 5); c2 <= tune_min(tune_min(tune_min(4 * (long) N + 5 * (long) M - 13, 4 * (long) N + 10 * c0 - 3), N + 2 * (long) M + 9 * c1 + 2), tune_min(N + 15 * c1 + 6, N + 4 * c0 + 9 * c1 + 6)); c2++)
                for (long c3 = tune_max(tune_max(2 * c0, 3 * c1 - N + 2), tune_max((N + c1 + c2 + 1) / 2 - N - 5 * c1 - 2, (N + c2 + 2) / 5 - N + 2)); c3 <= tune_min(tune_min(tune_min(M - 1, 2 * c0 + 1), 3 * c1 + 1), tune_min((c1 + c2 + 1) / 2 - 5 * c1 - 1, (c2 + 1) / 5 - 1)); c3++)
                  for (long c4 = tune_max(tune_max(3 * c1, c3 + 1), tune_floor(c2 - N + c3 + 1, 3) - c3 + 1); c4 <= tune_min(tune_min(3 * c1 + 2, N + c3 - 2), (c2 + c3 - 1) / 3 - c3); c4++)
                    B[c4 - c3][c2 - 2 * c3 - 3 * c4] = 0.2 * (B[c4 - c3 - 1][c2 - 2 * c3 - 3 * c4 - 1] + B[c4 - c3 - 1][c2 - 2 * c3 - 3 * c4 + 1] + B[c4 - c3][c2 - 2 * c3 - 3 * c4 - 1] + B[c4 - c3 + 1][c2 - 2 * c3 - 3 * c4] + B[c4 - c3 + 1][c2 - 2 * c3 - 3 * c4 - 1]) + (int) c3;
            }
          }
        } else {
          for (long c2 = tune_max(tune_max(10 * c0 + 4, 4 * c0 + 9 * c1 + 1), 15 * c1 - 2 * (long) N + 5); c2 <= tune_min(tune_min(tune_min(4 * (long) N + 5 * (long) M - 13, 4 * (long) N + 10 * c0 - 3), N + 2 * (long) M + 9 * c1 + 2), tune_min(N + 15 * c1 + 6, N + 4 * c0 + 9 * c1 + 6)); c2++)
            for (long c3 = tune_max(tune_max(2 * c0, 3 * c1 - N + 2), tune_max((N + c1 + c2 + 1) / 2 - N - 5 * c1 - 2, (N + c2 + 2) / 5 - N + 2)); c3 <= tune_min(tune_min(tune_min(M - 1, 2 * c0 + 1), 3 * c1 + 1), tune_min((c1 + c2 + 1) / 2 - 5 * c1 - 1, (c2 + 1) / 5 - 1)); c3++)
              for (long c4 = tune_max(tune_max(3 * c1, c3 + 1), tune_floor(c2 - N + c3 + 1, 3) - c3 + 1); c4 <= tune_min(tune_min(3 * c1 + 2, N + c3 - 2), (c2 + c3 - 1) / 3 - c3); c4++)
                B[c4 - c3][c2 - 2 * c3 - 3 * c4] = 0.2 * (B[c4 - c3 - 1][c2 - 2 * c3 - 3 * c4 - 1] + B[c4 - c3 - 1][c2 - 2 * c3 - 3 * c4 + 1] + B[c4 - c3][c2 - 2 * c3 - 3 * c4 - 1] + B[c4 - c3 + 1][c2 - 2 * c3 - 3 * c4] + B[c4 - c3 + 1][c2 - 2 * c3 - 3 * c4 - 1]) + (int) c3;
        }
      }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
