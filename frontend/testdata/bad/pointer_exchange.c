void f(int n, int times, double *restrict a, double *restrict b)
{
    double *old;
#pragma scop
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < n; i++) b[i] = 0.5 * a[i];
        if (t % 3)
        old = a, a = b, b = old;
    }
#pragma endscop
}
