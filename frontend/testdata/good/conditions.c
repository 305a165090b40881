/* Affine conditions and piecewise subscripts. */
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define NEXT(i) ((i) == n - 1 ? 0 : (i) + 1)
void conditions(int n, int flag, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i == 0 || i == n - 1)
            a[i] = 0;
        else if (!(i < 5) && i % 2 == 0)
            a[i] = b[NEXT(i)];
        else
            a[i] = b[i == n - 1 ? 0 : i + 1];
        if (flag)
            b[i] = i < 3 ? a[0] : a[i];
    }
    for (int i = max(1, n - 9); i <= min(n - 2, 30); i++)
        for (int j = (i < 5 ? 5 : i); j < n; j++)
            a[i] += b[j];
    for (int i = -n; i < n; i++)
        a[i / 2 + n] = a[i % 3 + 3];
#pragma endscop
}
