  /*
   * two statements fused by a shift, in skewed tiles; full tiles apart
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    if (N >= 3)
      for (long c0 = 0; c0 <= tune_floor(M - 1, 4); c0++)
        for (long c1 = c0 / 2; c1 <= tune_min((N + 2 * (long) M - 3) / 16, (N + 8 * c0 + 5) / 16); c1++) {
          if (M >= 4 * c0 + 4 && 2 * c1 >= c0 + 1 && N + 8 * c0 >= 16 * c1 + 17) {
            for (long c2 = 0; c2 < 4; c2++)
              for (long c3 = 0; c3 < 16; c3++) {
                z[16 * c1 - 8 * c0 - 2 * c2 + c3] = 0.25 * (x[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1] + x[16 * c1 - 8 * c0 - 2 * c2 + c3 + 1]);
                x[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1] = z[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1];
              }
          } else {
            for (long c2 = tune_max(0, 8 * c1 - N - 4 * c0 + N / 2 + 1); c2 <= tune_min(3, M - 4 * c0 - 1); c2++) {
              if (4 * c0 + 3 >= M) {
                if (4 * c0 + c2 >= 8 * c1)
                  z[1] = 0.25 * (x[1 - 1] + x[1 + 1]);
                for (long c3 = tune_max(0, 8 * c0 - 16 * c1 + 2 * c2 + 2); c3 <= tune_min(15, N + 8 * c0 - 16 * c1 + 2 * c2 - 2); c3++) {
                  z[16 * c1 - 8 * c0 - 2 * c2 + c3] = 0.25 * (x[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1] + x[16 * c1 - 8 * c0 - 2 * c2 + c3 + 1]);
                  x[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1] = z[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1];
                }
                if (16 * c1 + 16 >= N + 8 * c0 + 2 * c2)
                  x[N - 2] = z[N - 2];
              } else if (2 * c1 >= c0 + 1 && 16 * c1 + 16 >= N + 8 * c0) {
                for (long c3 = 0; c3 <= tune_min(15, N + 8 * c0 - 16 * c1 + 2 * c2 - 2); c3++) {
                  z[16 * c1 - 8 * c0 - 2 * c2 + c3] = 0.25 * (x[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1] + x[16 * c1 - 8 * c0 - 2 * c2 + c3 + 1]);
                  x[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1] = z[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1];
                }
                if (16 * c1 + 16 >= N + 8 * c0 + 2 * c2)
                  x[N - 2] = z[N - 2];
              } else {
                z[1] = 0.25 * (x[1 - 1] + x[1 + 1]);
                for (long c3 = 8 * c0 - 16 * c1 + 2 * c2 + 2; c3 <= tune_min(15, N + 8 * c0 - 16 * c1 + 2 * c2 - 2); c3++) {
                  z[16 * c1 - 8 * c0 - 2 * c2 + c3] = 0.25 * (x[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1] + x[16 * c1 - 8 * c0 - 2 * c2 + c3 + 1]);
                  x[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1] = z[16 * c1 - 8 * c0 - 2 * c2 + c3 - 1];
                }
                if (16 * c1 + 16 >= N + 8 * c0 + 2 * c2)
                  x[N - 2] = z[N - 2];
              }
            }
          }
        }
  }
  #undef tune_min
  #undef tune_max
  #undef tune_floor
