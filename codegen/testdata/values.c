  /*
   * iterators outside of subscripts, and * / in a header / * too
   */
  {
    for (long c0 = 5; c0 <= (long) N + 4; c0++) {
      y[c0 - 5] = (int) (sizeof ((int) (c0 - 5)) + sizeof((int) (c0 - 5))) + (int) (c0 - 5) / 2 + (int) (c0 - 5) % 3 - -(int) (c0 - 5);
      x[c0 - 5] = (int) (c0 - 5) * 0.5f + SQUARE((int) (c0 - 5)) + y[twice((int) (c0 - 5)) / 2] + y[2 * (c0 - 5) / 2];
      z[2 * (c0 - 5) + 1 - (c0 - 5)] -=
          x[(c0 - 5 + M) - M] * (double) (int) (c0 - 5)
          + AT((int) (c0 - 5)) /* [(int) (c0 - 5)] */;
      y[y[c0 - 5] * 0 + c0 - 5] += (int) (c0 - 5) > 5 ? -(int) (c0 - 5) : (int) (c0 - 5);
    }
  }
