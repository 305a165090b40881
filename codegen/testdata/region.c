  /*
   * threads that start outside of their loop; not where its range varies, nor where something is beside it
   */
  {
    if (M >= 4) {
      #pragma omp parallel
      {
        for (long c0 = 0; c0 < N; c0++) {
          #pragma omp for schedule(static) nowait
          for (long c1 = 0; c1 < M; c1++)
            y[c1] += A[c0][c1] * x[c0];
        }
      }
    } else {
      for (long c0 = 0; c0 < N; c0++)
        for (long c1 = 0; c1 < M; c1++)
          y[c1] += A[c0][c1] * x[c0];
    }
    for (long c0 = 0; c0 < N; c0++) {
      #pragma omp parallel for schedule(dynamic)
      for (long c1 = 0; c1 <= c0; c1++)
        z[c1] += A[c0][c1] * x[c0];
    }
    for (long c0 = 0; c0 < N; c0++) {
      z[0] += A[c0][0] * x[c0];
      #pragma omp parallel for
      for (long c1 = 5; c1 < 9; c1++)
        z[c1] += A[c0][c1] * x[c0];
    }
  }
