  /*
   * small nests on one thread, also those of a team and loops shared together
   */
  {
    if ((double) N * (2 * (long) M - 1) >= 12 && N >= 2) {
      #pragma omp parallel for schedule(dynamic)
      for (long c0 = 0; c0 < N; c0++)
        for (long c1 = 0; c1 < M; c1++)
          A[c0][c1] += x[c0] * x[c1];
    } else
      for (long c0 = 0; c0 < N; c0++)
        for (long c1 = 0; c1 < M; c1++)
          A[c0][c1] += x[c0] * x[c1];
    #pragma omp parallel if((double) ((long) M + N) >= 9)
    {
      for (long c0 = 0; c0 < 3; c0++) {
        #pragma omp for
        for (long c1 = 0; c1 < N; c1++)
          for (long c2 = 0; c2 < M; c2++)
            B[c1][c2] += A[c1][c2];
      }
    }
    if ((double) N >= 7) {
      #pragma omp parallel for collapse(2)
      for (long c0 = 0; c0 < N; c0++)
        for (long c1 = 0; c1 < M; c1++)
          C[c0][c1] += A[c0][c1];
    } else
      for (long c0 = 0; c0 < N; c0++)
        for (long c1 = 0; c1 < M; c1++)
          C[c0][c1] += A[c0][c1];
  }
