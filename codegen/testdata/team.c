  /*
   * threads that start outside of several loops, and wait; not where a statement is beside those
   */
  #define tune_min(a, b) ((a) < (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    if (M >= 4) {
      #pragma omp parallel
      {
        for (long c0 = 0; c0 <= tune_floor(N - 1, 4); c0++) {
          #pragma omp for schedule(dynamic)
          for (long c1 = 4 * c0; c1 <= tune_min(N - 1, 4 * c0 + 3); c1++)
            x[c1] += A[c1][0] * y[c1];
          for (long c1 = 4 * c0; c1 <= tune_min(N - 1, 4 * c0 + 3); c1++) {
            #pragma omp for schedule(static) nowait
            for (long c2 = 0; c2 < M; c2++)
              y[c2] += A[c1][c2] * x[c1];
          }
          #pragma omp barrier
        }
      }
    } else {
      for (long c0 = 0; c0 <= tune_floor(N - 1, 4); c0++) {
        for (long c1 = 4 * c0; c1 <= tune_min(N - 1, 4 * c0 + 3); c1++)
          x[c1] += A[c1][0] * y[c1];
        for (long c1 = 4 * c0; c1 <= tune_min(N - 1, 4 * c0 + 3); c1++)
          for (long c2 = 0; c2 < M; c2++)
            y[c2] += A[c1][c2] * x[c1];
      }
    }
    for (long c0 = 0; c0 < N; c0++) {
      z[0] += A[c0][0] * x[c0];
      #pragma omp parallel for
      for (long c1 = 1; c1 < M; c1++)
        z[c1] += A[c0][c1] * x[c0];
    }
  }
  #undef tune_min
  #undef tune_floor
