  /*
   * an index set cut in two, each half in an order of its own
   */
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    #pragma omp simd
    for (long c0 = 0; c0 < tune_floor((long) N + 1, 2); c0++) {
      z[c0] = 0.5 * x[N - 1 - c0] + z[c0];
      if (N >= 2 * c0 + 2)
        z[N - c0 - 1] = 0.5 * x[N - 1 - (N - c0 - 1)] + z[N - c0 - 1];
    }
  }
  #undef tune_floor
