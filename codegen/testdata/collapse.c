  /*
   * two loops whose iterations threads share together; not where the one's range depends on the other, nor where something is between them
   */
  {
    #pragma omp parallel for collapse(2) schedule(dynamic)
    for (long c0 = 0; c0 < N; c0++)
      for (long c1 = 0; c1 < M; c1++)
        A[c0][c1] += x[c0] * x[c1];
    #pragma omp parallel for
    for (long c0 = 0; c0 < N; c0++)
      for (long c1 = 0; c1 <= c0; c1++)
        B[c0][c1] += x[c0] * x[c1];
    #pragma omp parallel for
    for (long c0 = 0; c0 < N; c0++) {
      z[c0] += x[c0];
      for (long c1 = 0; c1 < M; c1++)
        C[c0][c1] += z[c0];
    }
    #pragma omp parallel
    {
      for (long c0 = 0; c0 < 3; c0++) {
        #pragma omp for collapse(2)
        for (long c1 = 0; c1 < N; c1++)
          for (long c2 = 0; c2 < M; c2++)
            C[c1][c2] += A[c1][c0];
      }
    }
  }
