/* Rows and columns that conditions choose: symmetric matrices, borders that are clamped or periodic, and the middle of a grid. */
#include <stdio.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

static void symmetric(int n, double *restrict a, const double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += a[MIN(i, j) * n + MAX(i, j)] * x[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[MAX(i, j) * n + MIN(i, j)] -= a[MIN(i, j) * n + MAX(i, j)] * y[j];
#pragma endscop
}

static void box(int h, int w, const double *restrict in, double *restrict out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double sum = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += in[CLAMP(y + dy, 0, h - 1) * w + CLAMP(x + dx, 0, w - 1)];
            out[y * w + x] = sum;
        }
#pragma endscop
}

static void periodic(int n, int m, double *restrict a, double *restrict b)
{
#pragma scop
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i * m + j] = a[i * m + (j == m - 1 ? 0 : j + 1)] - a[(i == 0 ? n - 1 : i - 1) * m + j] + a[i * m + MAX(j - 1, 0)];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] = 0.25 * b[i * m + j];
        a[n / 2 * m + m / 2] += t;
    }
#pragma endscop
}

static double data[4][40 * 40];

int main(void)
{
    for (int i = 0; i < 4 * 40 * 40; i++)
        ((double *) data)[i] = (i * 37 % 101) / 64.0;
    symmetric(33, data[0], data[1], data[2]);
    symmetric(1, data[0], data[1], data[2]);
    box(35, 29, data[1], data[2]);
    box(1, 2, data[1], data[2]);
    periodic(34, 37, data[2], data[3]);
    periodic(1, 1, data[2], data[3]);
    periodic(2, 1, data[2], data[3]);
    for (int i = 0; i < 4 * 40 * 40; i++)
        printf("%a\n", ((double *) data)[i]);
    return 0;
}
