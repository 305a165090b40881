void f(int n, __float128 *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1.5q;
#pragma endscop
}
