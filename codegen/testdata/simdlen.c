  /*
   * vector loops for which the compiler is asked for lanes, one of them parallel
   */
  {
    for (long c0 = 0; c0 < N; c0++) {
      if (M >= 30) {
        #pragma omp parallel for simd simdlen(8)
        for (long c1 = 0; c1 < M; c1++)
          z[c1] += A[c0][c1] * x[c0];
      } else {
        #pragma omp simd simdlen(8)
        for (long c1 = 0; c1 < M; c1++)
          z[c1] += A[c0][c1] * x[c0];
      }
    }
    #pragma omp parallel for
    for (long c0 = 0; c0 < N; c0++) {
      #pragma omp simd simdlen(4)
      for (long c1 = 0; c1 < M; c1++)
        A[c0][c1] += z[c1] * x[c0];
    }
  }
