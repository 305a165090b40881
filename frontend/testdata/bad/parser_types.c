void f(int n, _Decimal32 *restrict x, _Decimal128 *restrict a, _Float16 *restrict c, __float128 *restrict d, _Decimal64 *restrict e)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = a[i] + 1;
        d[i] = d[i] + 1;
        e[i] = e[i] + 1;
        c[i] = c[i] + 1;
        x[i] = x[i] + 1;
    }
#pragma endscop
}
