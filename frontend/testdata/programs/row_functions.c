/* Rows and columns that functions of the file choose: borders that are clamped, periodic or mirrored. */
#include <stdio.h>

static inline int clamped(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

static int wrapped(int v, int n)
{
    if (v < 0)
        return v + n;
    if (v >= n)
        return v - n;
    return v;
}

static int mirrored(int v, int n)
{
    if (v < 0)
        v = -v - 1;
    else if (v > n - 1)
        v = 2 * n - 1 - v;
    return v;
}

static int at(int z, int y, int x, int h, int w) { return (z * h + y) * w + x; }

static void box(int h, int w, const double *restrict in, double *restrict out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double sum = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += in[clamped(y + dy, 0, h - 1) * w + clamped(x + dx, 0, w - 1)];
            out[y * w + x] = sum;
        }
#pragma endscop
}

static void ring(int n, int m, const double *restrict u, double *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            v[i * m + j] = u[wrapped(i - 1, n) * m + j] + 2 * u[wrapped(i + 1, n) * m + j] - u[i * m + wrapped(j - 1, m)] + 3 * u[i * m + wrapped(j + 1, m)];
#pragma endscop
}

static void volume(int d, int h, int w, const double *restrict a, double *restrict b)
{
#pragma scop
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                b[at(z, y, x, h, w)] = a[at(mirrored(z - 1, d), y, x, h, w)] - a[at(z, mirrored(y + 1, h), x, h, w)] * a[at(z, y, mirrored(x - 2, w), h, w)];
#pragma endscop
}

static double data[2][40 * 40];

int main(void)
{
    for (int i = 0; i < 2 * 40 * 40; i++)
        ((double *) data)[i] = (i * 37 % 101) / 64.0;
    box(35, 29, data[0], data[1]);
    box(1, 2, data[0], data[1]);
    ring(31, 40, data[1], data[0]);
    ring(2, 2, data[1], data[0]);
    volume(5, 9, 11, data[0], data[1]);
    for (int i = 0; i < 2 * 40 * 40; i++)
        printf("%.17g\n", ((double *) data)[i]);
    return 0;
}
