  /*
   * an else if whose condition always holds in a full tile, above several statements
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    if (M >= 2)
      for (long c0 = 0; c0 <= (M >= 3 && M <= 10 ? 1 : ((long) M + 4) / 5 - 1); c0++) {
        if (c0 >= 2) {
          if (5 * c0 + 5 <= M) {
            for (long c2 = 5 * c0; c2 <= 5 * c0 + 4; c2++)
              x[c2] = 0.5 * x[c2] + 1.0;
          } else {
            for (long c2 = 5 * c0; c2 <= tune_min(M - 1, 5 * c0 + 4); c2++)
              x[c2] = 0.5 * x[c2] + 1.0;
          }
        } else if (c0 == 0) {
          for (long c1 = tune_floor(-(long) M - 1, 5) + 4; c1 < 2; c1++) {
            if (10 <= (M + c1 + 1) / 2 + 2 * c1 && 23 <= M + 5 * c1) {
              for (long c2 = 2; c2 < 5; c2++)
                for (long c3 = 5 * c1; c3 <= 5 * c1 + 4; c3++)
                  C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
            } else {
              for (long c2 = 2; c2 <= tune_min(4, 2 * c1 + (M + c1 + 1) / 2 - 6); c2++)
                for (long c3 = tune_max(5 * c1, 2 * c2 - M + 15); c3 <= 5 * c1 + 4; c3++)
                  C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
            }
          }
          if (13 <= M) {
            for (long c2 = 1; c2 < 5; c2++) {
              if (c2 >= 2 && M >= 2 * c2 + 1) {
                for (long c3 = 10; c3 < 14; c3++)
                  C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
                x[c2] = 0.5 * x[c2] + 1.0;
                C[2 * c2][c2] = 0.5 * A[2 * c2][c2] + 0.25 * C[2 * c2][c2];
              } else if (c2 >= 2 && 2 * c2 >= M) {
                x[c2] = 0.5 * x[c2] + 1.0;
              } else {
                x[1] = 0.5 * x[1] + 1.0;
              }
            }
          } else {
            for (long c2 = 1; c2 <= tune_min(4, M - 1); c2++) {
              if (c2 >= 2 && M >= 2 * c2 + 1) {
                for (long c3 = tune_max(10, 2 * c2 - M + 15); c3 < 14; c3++)
                  C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
                x[c2] = 0.5 * x[c2] + 1.0;
                C[2 * c2][c2] = 0.5 * A[2 * c2][c2] + 0.25 * C[2 * c2][c2];
              } else if (c2 >= 2 && 2 * c2 >= M) {
                x[c2] = 0.5 * x[c2] + 1.0;
              } else {
                x[1] = 0.5 * x[1] + 1.0;
              }
            }
          }
          for (long c2 = 2; c2 < 5; c2++)
            for (long c3 = tune_max(15, 2 * c2 - M + 15); c3 <= 2 * c2 + 11; c3++)
              C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
        } else if (M >= 3) {
          for (long c1 = M <= 25 ? 0 : 5 - ((long) M + 4) / 5; c1 <= tune_min(1, (M - 1) / 5); c1++) {
            if (12 <= tune_floor(M + c1 + 1, 2) + 2 * c1 && 27 <= M + 5 * c1 && 2 <= 5 * c1 && 5 * c1 + 5 <= M) {
              for (long c2 = 5; c2 < 7; c2++)
                for (long c3 = 5 * c1; c3 <= 5 * c1 + 4; c3++)
                  C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
              for (long c3 = 5 * c1; c3 <= 5 * c1 + 4; c3++)
                B[2][c3] = 1.0;
            } else {
              for (long c2 = 5; c2 <= tune_min(6, 2 * c1 + tune_floor(M + c1 + 1, 2) - 6); c2++)
                for (long c3 = tune_max(5 * c1, 2 * c2 - M + 15); c3 <= 5 * c1 + 4; c3++)
                  C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
              for (long c3 = tune_max(2, 5 * c1); c3 <= tune_min(M - 1, 5 * c1 + 4); c3++)
                B[2][c3] = 1.0;
            }
          }
          if (23 <= M) {
            for (long c2 = 5; c2 < 10; c2++) {
              if (c2 == 7)
                for (long c3 = 10; c3 < 15; c3++)
                  B[2][c3] = 1.0;
              if (c2 >= 7) {
                x[c2] = 0.5 * x[c2] + 1.0;
              } else {
                for (long c3 = 10; c3 < 14; c3++)
                  C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
                x[c2] = 0.5 * x[c2] + 1.0;
                C[2 * c2][c2] = 0.5 * A[2 * c2][c2] + 0.25 * C[2 * c2][c2];
              }
            }
          } else {
            for (long c2 = 5; c2 <= tune_min(9, M - 1); c2++) {
              if (c2 == 7)
                for (long c3 = 10; c3 <= tune_min(14, M - 1); c3++)
                  B[2][c3] = 1.0;
              if (c2 >= 7) {
                x[c2] = 0.5 * x[c2] + 1.0;
              } else if (M >= 2 * c2 + 1) {
                for (long c3 = tune_max(10, 2 * c2 - M + 15); c3 < 14; c3++)
                  C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
                x[c2] = 0.5 * x[c2] + 1.0;
                C[2 * c2][c2] = 0.5 * A[2 * c2][c2] + 0.25 * C[2 * c2][c2];
              } else {
                x[c2] = 0.5 * x[c2] + 1.0;
              }
            }
          }
          if (M >= 4)
            for (long c1 = tune_max(3, 5 - ((long) M + 4) / 5); c1 <= (M <= 25 ? 4 : ((long) M + 4) / 5 - 1); c1++) {
              if (c1 / 2 + 2 * c1 <= 10 && 12 <= tune_floor(M + c1 + 1, 2) + 2 * c1 && 27 <= M + 5 * c1 && 5 * c1 <= 17 && 5 * c1 + 5 <= M) {
                for (long c2 = 5; c2 < 7; c2++)
                  for (long c3 = 5 * c1; c3 <= 5 * c1 + 4; c3++)
                    C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
                for (long c3 = 5 * c1; c3 <= 5 * c1 + 4; c3++)
                  B[2][c3] = 1.0;
              } else {
                for (long c2 = tune_max(5, 2 * c1 + c1 / 2 - 5); c2 <= tune_min(6, 2 * c1 + tune_floor(M + c1 + 1, 2) - 6); c2++)
                  for (long c3 = tune_max(5 * c1, 2 * c2 - M + 15); c3 <= tune_min(5 * c1 + 4, 2 * c2 + 11); c3++)
                    C[2 * c2 - c3 + 14][c2] = 0.5 * A[2 * c2 - c3 + 14][c2] + 0.25 * C[2 * c2 - c3 + 14][c2];
                for (long c3 = 5 * c1; c3 <= tune_min(M - 1, 5 * c1 + 4); c3++)
                  B[2][c3] = 1.0;
              }
            }
        }
      }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
