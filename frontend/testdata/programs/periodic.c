/* Periodic borders by remainders: of a line, a matrix in rows, shifts by a parameter, and unsigned sizes. */
#include <stdio.h>
#include <stdlib.h>

static void line(int n, double u[n], double v[n])
{
#pragma scop
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < n; i++)
            v[i] = u[(i + 1) % n] - u[(i + n - 1) % n] + u[(i - 1 + n) % n];
        for (int i = 0; i < n; i++)
            u[i] += 0.5 * v[i];
    }
#pragma endscop
}

static void torus(int n, int m, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = a[i * m + (j + 1) % m] - a[(i + n - 1) % n * m + j] + a[(i + 1) % n * m + (j + m - 1) % m];
#pragma endscop
}

static void shift(int n, int s, double u[n], double v[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[(i + s) % n] = u[i];
    for (int i = 0; i < n; i++)
        u[i] = v[(i + n / 2) % n] + v[i];
#pragma endscop
}

static void wide(size_t n, double u[n], double v[n])
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            v[i] += u[(i + d) % n];
    for (size_t i = 0; i < n; i++)
        if ((i + 1) % n != 0)
            u[i] += v[i + 1];
#pragma endscop
}

static double data[3][900];

int main(void)
{
    for (int i = 0; i < 3 * 900; i++)
        ((double *) data)[i] = (i * 37 % 101) / 64.0;
    const int sizes[] = {1, 2, 3, 17, 300};
    for (int k = 0; k < 5; k++) {
        int n = sizes[k];
        line(n, data[0], data[1]);
        torus(3, n, data[0], data[1]);
        torus(n, 2, data[1], data[2]);
        for (int s = 0; s < 9; s += 2)
            shift(n, s, data[2], data[0]);
        wide((size_t) n, data[0], data[2]);
    }
    for (int i = 0; i < 3 * 900; i++)
        printf("%a\n", ((double *) data)[i]);
    return 0;
}
