  /*
   * one name for marks at two depths of one statement: no pragma may be put at the wrong one
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  {
    for (long c0 = 0; c0 <= tune_min(4, N - 1); c0++)
      for (long c1 = 0; c1 < M; c1++)
        A[c0][c1] += 1.0;
    for (long c0 = 5; c0 < N; c0++) {
      #pragma omp simd
      for (long c1 = 0; c1 < M; c1++)
        A[c0][c1] += 1.0;
    }
  }
  #undef tune_min
