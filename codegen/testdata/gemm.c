  /*
   * two statements in their original order
   */
  {
    for (long c0 = 0; c0 < N; c0++)
      for (long c1 = 0; c1 < M; c1++) {
        C[c0][c1] *= 0.7;
        for (long c2 = 0; c2 < N; c2++)
          C[c0][c1] += 1.5 * A[c0][c2] * B[c2][c1];
      }
  }
