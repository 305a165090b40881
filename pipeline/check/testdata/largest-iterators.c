/* Loops that end at the value of end, which may be the largest int. */
void largest(int begin, int end, double C[end - begin][end - begin], double A[end - begin][end - begin], double B[end - begin][end - begin],
             double x[end - begin + 2], double y[end - begin + 2])
{
  int i, j, k, t;

#pragma scop
  for (i = begin; i < end; i++)
    for (k = begin; k < end; k++)
      for (j = begin; j < end; j++)
        C[i - begin][j - begin] += A[i - begin][k - begin] * B[k - begin][j - begin];
  for (t = begin; t < end; t++) {
    for (i = begin; i < end; i++)
      y[i - begin + 1] = 0.25 * (x[i - begin] + 2.0 * x[i - begin + 1] + x[i - begin + 2]);
    for (i = begin; i < end; i++)
      x[i - begin + 1] = y[i - begin + 1];
  }
#pragma endscop
}
