/* Loops of several variables. */
#include <stddef.h>
#include <stdio.h>
#define N 31
static double a[N], b[2 * N + 2], m[N][N], p[N + 1];

static void chain(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        m[i][i] = 0;
    for (int len = 2; len <= n; len++)
        for (int i = 0, j = len - 1; j < n; i++, j++) {
            m[i][j] = 1e30;
            for (int k = i; k < j; k++) {
                double q = m[i][k] + m[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
                if (q < m[i][j])
                    m[i][j] = q;
            }
        }
#pragma endscop
}

static void others(int n, size_t size)
{
#pragma scop
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        double t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    for (int i = 2, k = 1; i < n; ++i, k += 2)
        b[k] = a[i], b[k + 1] = -a[i];
    for (int k = 2 * n, i = n; i > 0; i -= 1, k -= 2)
        for (int j = 0, l = i; j < 3; j++, l = l - 1)
            if (l > 0) b[k] += a[l - 1] * j;
    for (size_t i = 0, j = size; i < size; i++, j--)
        b[j] += a[i];
#pragma endscop
}

/* Variables of the function, for several loops. */
static void function_wide(int n, int m)
{
    int i, j;
    double t;
#pragma scop
    for (i = 0, j = n - 1; i < j; i++, j--) {
        t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    for (int k = 0; k < m; k++) {
        for (j = k, i = n - 1; j <= i; j++, --i)
            b[j] += a[i] + k;
        for (i = 0; i < n; i++)
            b[i] -= 1;
    }
#pragma endscop
}

static int left(int n)
{
    int i, j;
#pragma scop
    for (i = 0, j = n - 1; i < n; i++, j--)
        b[i] += a[j];
#pragma endscop
    return 10 * i + j;
}

/* What is left is read behind the loop, in the region and behind it. */
static int left_several(int n, int from)
{
    int k, j, l, last = 0;
#pragma scop
    for (k = from, j = n - 1; k < j; k++, j--) {
        double t = a[k];
        a[k] = a[j];
        a[j] = t;
    }
    b[k + 1] += j;
    for (; k < n; k++)
        b[k] -= a[k];
    for (int i = 0; i < n; i++) {
        for (k = i, j = 2 * n, l = 5; k + 1 <= j - 4; k += 2, --j, l = l - 3) {
            if (k == 7)
                continue;
            b[k % 8] += l;
        }
        last = k + j + l;
        b[i] += last;
    }
    for (j = n - 1, l = 0; j >= l + from; j -= 3, l++)
        b[j] += l;
#pragma endscop
    return 100 * last + 10 * j + l;
}

static int moving_end(int n)
{
    int k;
#pragma scop
    int j = 2;
    for (j = 0; j + 3 < n; j += 4)
        a[j] += 1;
    for (; j < n; j++)
        a[j] += 2;
    for (k = 0, j = n - 1; k < j; k++, j--)
        a[j] += 3;
#pragma endscop
    return k;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (i * 5) % 13;
        p[i + 1] = 1 + (i * 3) % 7;
    }
    p[0] = 4;
    chain(N);
    others(N, N);
    function_wide(N, 4);
    function_wide(2, 1);
    double s = left(N) + left(0) + m[0][N - 1];
    for (int n = -1; n < N; n += 1 + n / 2)
        for (int from = 0; from < 5; from += 2)
            s = 0.5 * s + left_several(n, from) + moving_end(n - from);
    for (int i = 0; i < 2 * N; i++)
        s = 0.75 * s + b[i] + a[i % N];
    printf("%.17g\n", s);
    return 0;
}
