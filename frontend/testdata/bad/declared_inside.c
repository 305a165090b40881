/* A variable of the region is read behind it. */
double total(int n, double x[n])
{
#pragma scop
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
#pragma endscop
  return sum;
}
