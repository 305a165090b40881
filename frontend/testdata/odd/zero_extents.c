double a[0], b[3][0];
void f(int n, double c[n][0])
{
#pragma scop
  for (int i = 0; i < n; i++) { a[i] = b[i][0]; c[i][i] = a[i]; }
#pragma endscop
}
