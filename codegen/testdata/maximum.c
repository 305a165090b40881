  /*
   * a bound that is a condition
   */
  #define tune_max(a, b) ((a) > (b) ? (a) : (b))
  {
    if (M >= 0 || N >= 0) {
      #pragma omp parallel for
      for (long c0 = tune_max(N, M); c0 <= (N >= 0 && N >= (long) M + 1 ? N : M); c0++) {
        if ((N >= 0 && c0 == N) || (M >= 0 && c0 == M))
          x[c0] += 1.0;
      }
    }
  }
  #undef tune_max
