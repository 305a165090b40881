void f(int n, double *restrict a, const double *restrict b)
{
    int i;
#pragma scop
    for (i = n - 2; i >= 0; i--)
        a[i] += b[i] * a[i + 1];
    for (i++; i < n - 1; i++)
        a[i] *= 2;
    a[i] = 0;
#pragma endscop
}
