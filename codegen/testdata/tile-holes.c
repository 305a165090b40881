  /*
   * a domain with holes has no full tile of constant bounds
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    #pragma omp parallel for
    for (long c0 = 0; c0 <= tune_floor(N - 1, 8); c0++)
      for (long c1 = 0; c1 <= tune_floor(M - 1, 8); c1++) {
        if (8 * c0 + 8 <= N && 8 * c1 + 2 <= M) {
          for (long c2 = 8 * c0; c2 <= 8 * c0 + 7; c2++)
            for (long c3 = 8 * c1 - (c2 + 1) % 2 + 1; c3 <= tune_min(M - 1, 8 * c1 + 7); c3 += 2)
              A[c2][c3] += 1.0;
        } else {
          for (long c2 = 8 * c0; c2 <= tune_min(tune_min(N - 1, 8 * c0 + 7), M + 8 * c0 - 8 * c1 + 5); c2++)
            for (long c3 = 8 * c1 - (c2 + 1) % 2 + 1; c3 <= tune_min(M - 1, 8 * c1 + 7); c3 += 2)
              A[c2][c3] += 1.0;
        }
      }
  }
  #undef tune_min
  #undef tune_floor
