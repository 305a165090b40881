  /*
   * a loop that runs once on a value that is not affine
   */
  {
    if (N >= 0)
      x[N / 2] += 1.0;
  }
