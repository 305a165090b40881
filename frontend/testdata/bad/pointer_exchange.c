void f(int n, int times, double *restrict a, double *restrict b, double *restrict c)
{
#pragma scop
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < n; i++)
            c[i] = 0.5 * (a[i] + b[i - 1]);
        double *old = a;
        a = b;
        b = c;
        c = old;
    }
#pragma endscop
}
void g(int n, int times, double *restrict a, double *restrict b)
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
