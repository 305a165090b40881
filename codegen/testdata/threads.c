  /*
   * short parallel loops on one thread: up, by two, from a variable
   */
  {
    if (M >= 2)
      for (long c0 = 0; c0 < N; c0++) {
        if (M >= 5) {
          #pragma omp parallel for
          for (long c1 = 1; c1 < M; c1++)
            A[c0 + 1][c1] = 0.3 * A[c0][M - c1];
        } else
          for (long c1 = 1; c1 < M; c1++)
            A[c0 + 1][c1] = 0.3 * A[c0][M - c1];
        if (M + c0 % 2 - c0 - 2 >= 5) {
          #pragma omp parallel for simd
          for (long c1 = c0 - c0 % 2 + 2; c1 < M; c1 += 2)
            A[c0 + 1][c1] += A[c0][c1 - 1];
        } else {
          #pragma omp simd
          for (long c1 = c0 - c0 % 2 + 2; c1 < M; c1 += 2)
            A[c0 + 1][c1] += A[c0][c1 - 1];
        }
      }
  }
