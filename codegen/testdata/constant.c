  /*
   * a parallel loop of one iteration: its pragma must vanish with it
   */
  {
    for (long c1 = 0; c1 < 20; c1++) {
      #pragma omp simd
      for (long c2 = 0; c2 < M; c2++)
        A[c1][c2] = A[c1][c2] * 0.5 + A[c1 + 1][c2];
    }
  }
