  /*
   * a region without instances
   */
  {
  }
