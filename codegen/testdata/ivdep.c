  /*
   * vector loops of which the compiler knows no more than that nothing depends, one of them parallel
   */
  #if defined(__clang__)
  #define tune_ivdep _Pragma("omp simd")
  #else
  #define tune_ivdep _Pragma("GCC ivdep")
  #endif
  {
    for (long c0 = 0; c0 < N; c0++) {
      if (M >= 30) {
        #pragma omp parallel for
        for (long c1 = 0; c1 < M; c1++)
          z[c1] += A[c0][c1] * x[c0];
      } else {
        tune_ivdep
        for (long c1 = 0; c1 < M; c1++)
          z[c1] += A[c0][c1] * x[c0];
      }
    }
    #pragma omp parallel for
    for (long c0 = 0; c0 < N; c0++) {
      tune_ivdep
      for (long c1 = 0; c1 < M; c1++)
        A[c0][c1] += z[c1] * x[c0];
    }
  }
  #undef tune_ivdep
