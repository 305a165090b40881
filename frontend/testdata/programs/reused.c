/* Variables that are iterators of some loops and hold data elsewhere. */
#include <stdio.h>
#define N 23
static int x[N], h[N + 1], y[N], last[4];
static double m[N][N], v[N];

static void counts(int n)
{
    int j;
#pragma scop
    for (j = 0; j <= n; j++)
        h[j] = 0;
    for (int k = 0; k < n; k++) {
        j = x[k] & 7;
        h[j] = h[j] + 1;
    }
    for (j = n - 1; j >= 0; j -= 2)
        h[j + 1] += h[j];
#pragma endscop
    last[0] += j;
}

/* Rows of a sparse matrix: the iterator of the first loop walks through each row later. */
static void rows(int n, int nz, const int *start)
{
    int i, j, k, at;
#pragma scop
    for (j = 0; j < n; j++)
        for (i = j; i < n; i += 3)
            m[j][i] = i - j;
    for (i = 0; i < n; i++) {
        k = start[i];
        at = start[i + 1];
        for (j = k; j < at; j++)
            v[i] += m[i][j % n] * nz;
        y[i] = j;
    }
    for (k = n; k > 0; k--) {
        i = y[k - 1] % n;
        v[i] += k;
    }
#pragma endscop
    last[1] += i + j + k;
}

/* The first value is one from in front, or from data; loops in loops over the same variables. */
static void starts(int n, int b)
{
    int i = b, j = 1;
#pragma scop
    for (i = i + 1; i < n; i++)
        y[i] += i;
    last[2] += i;
    i = x[0] % 4;
    for (i = i; i < n; ++i)
        y[i] ^= 3;
    last[2] += i;
    for (int t = 0; t < 3; t++) {
        for (j = t; j < n; j++)
            v[j] += t;
        if (v[t] > 2)
            j = x[t];
        last[3] += j;
        if (t > 0)
            for (j = 0; j < n; j++)
                v[j] *= 0.5;
        else
            last[3] -= j;
    }
#pragma endscop
    last[3] += 2 * j;
}

/* Wide and unsigned ones; data end a loop. */
static void types(unsigned n)
{
    unsigned u;
    long l;
#pragma scop
    for (u = 0; u < n; u++)
        v[u] += 1;
    u = x[1];
    v[u % N] -= 2;
    for (l = n; l-- > 0;)
        v[l] *= 2;
    l = x[2] * 3000000000L;
    v[1] += l / 1000000000;
    for (l = 0; l < n; l++)
        if (x[l] == 5)
            break;
    v[2] += l;
#pragma endscop
}

int main(void)
{
    static int start[N + 1];
    for (int i = 0; i < N; i++) {
        x[i] = (i * 7 + 3) % 11;
        start[i + 1] = start[i] + i % 4;
    }
    for (int n = 0; n <= N; n += n < 3 ? 1 : 5) {
        counts(n);
        rows(n, n + 1, start);
        if (n > 2) starts(n, -1), starts(n, n + 4), types(n);
        for (int i = 0; i < N; i++) printf("%d %d %g ", h[i], y[i], v[i]);
        printf("%d %d %d %d\n", last[0], last[1], last[2], last[3]);
    }
    return 0;
}
