  /*
   * parameters of unsigned types; names that are taken; variables of the region
   */
  #define tune_min_(a, b) ((a) < (b) ? (a) : (b))
  #define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
  {
    double c1;
    double row[160];
    (void) outer;
    for (long c_0 = 0; c_0 < (long) N - 1; c_0++) {
      c1 = B[c_0][c_0] + 1.0;
      for (long c_1 = 0; c_1 <= tune_floor(2 * (long) N - (long) M - 1, 16); c_1++)
        for (long c_2 = 16 * c_1; c_2 <= tune_min_(2 * (long) N - (long) M - 1, 16 * c_1 + 15); c_2++) {
          row[c_2] = c1 * A[c_0][c_2];
          B[c_0][c_2] += row[c_2];
        }
    }
  }
  #undef tune_min_
  #undef tune_floor
