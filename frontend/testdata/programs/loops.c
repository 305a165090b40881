/* Loops: types of iterators, minima and maxima of all kinds, rounding, remainders, values that loops leave behind. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#define N 50
#define floord(n, d) floor(((double) (n)) / ((double) (d)))
#define ceild(n, d) ceil(((double) (n)) / ((double) (d)))
#define intfloor(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
static double a[N + 9], b[N][N], c[2][N];
static inline int imin(int x, int y) { return x < y ? x : y; }
static inline int imax(int x, int y)
{
    if (x > y)
        return x;
    return y;
}

static void types(size_t n, unsigned u, short s, int64_t m)
{
#pragma scop
    for (size_t i = n; i-- > 0;)
        a[i] += 0.5 * i;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; ++j)
            b[i][j] = b[j][i] + i / 3 + j % 2;
    for (unsigned i = 1; i < u; i++)
        a[i - 1] += (i - 2) * 0.25;
#pragma endscop
#pragma scop
    for (short i = 0; i < s; i++)
        a[i] *= 2;
    for (unsigned char i = 0; i < 40; i += 3)
        a[i] -= i;
    for (int64_t i = m - 1; i >= 0; i -= 2)
        a[i + 1] += a[i] * sizeof(i);
    for (long i = 0; i != m; i++)
        c[1][i] = i * 3000000000;
#pragma endscop
}

static int bounds(int n, int m)
{
    int i, j, k, used = 0;
#pragma scop
    for (i = imax(0, n - 30); i < fmin(n, m + 5); i++)
        for (j = abs(i - 20); j <= imin(n - 1, i + 7); j++)
            b[i][j] += i - j;
    for (int t = ceild(-n, 16); t <= floord(n - 1, 16); t++)
        for (i = imax(16 * t, 0); i <= imin(16 * t + 15, n - 1); i++)
            a[i] += t;
    for (i = intfloor(-7, 3) + 3; i < n; i += 1)
        a[imin(i + 1, n - 1)] += a[i] / 2;
#pragma endscop
#pragma scop
    for (int t = 0; t < 9; t++)
        for (i = 1; i < n - 1; i++)
            c[(t + 1) & 1][i] = 0.5 * (c[t % 2][i - 1] + c[t % 2][i + 1]);
    for (i = -n; i < n; i++)
        a[i / 4 + 20] += i % 3;
#pragma endscop
#pragma scop
    for (i = 0; i < n; i++)
        a[i < 5 || !(i != 9) ? 0 : (i >> 1) + (i == n - 1)] += 1;
    for (k = n - 1; k > 2; k--)
        a[k] += a[k - 1];
    for (j = 3; j <= m; ++j)
        b[j][0] = -j;
#pragma endscop
    used = j * 100 + k;
    if (n > 3)
        i = 0;
    return used + (n > 3 ? i : 7);
}

static void directives(int n)
{
    int i;
#pragma scop
#define SCALE(x) ((x) * 1.5)
    for (i = 0; i < n; i++)
        a[i] = SCALE(a[i]);
#if N > 20
    for (i = 0; i < n; i++)
        c[0][i] = a[i];
#else
    a[0] = 0;
#endif
#undef SCALE
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 7;
        c[0][i] = i;
        for (int j = 0; j < N; j++)
            b[i][j] = i * 0.5 - j;
    }
    types(N, N, N, N - 3);
    printf("%d %d\n", bounds(N, N - 8), bounds(7, 2));
    directives(N);
    for (int i = 0; i < N; i++) {
        printf("%a %a %a\n", a[i], c[0][i], c[1][i]);
        for (int j = 0; j < N; j++)
            printf("%a ", b[i][j]);
    }
    return 0;
}
