/* Arrays with one subscript that counts rows: matrices, pictures with channels, cubes, borders, and a mixture with other subscripts. */
#include <stdio.h>
#include <stdlib.h>
#define AT(i, j) ((i) + (n + 2) * (j))

static void product(int n, int m, int k, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i * m + j] = 0;
            for (int l = 0; l < k; l++)
                c[i * m + j] += a[i * k + l] * b[l * m + j];
        }
#pragma endscop
}

static void blur(long w, long h, const unsigned char *restrict in, unsigned char *restrict out)
{
#pragma scop
    for (long y = 1; y < h - 1; y++)
        for (long x = 1; x < w - 1; x++)
            for (int c = 0; c < 3; c++)
                out[(y * w + x) * 3 + c] = (unsigned char) ((in[((y - 1) * w + x) * 3 + c] + in[((y + 1) * w + x) * 3 + c] + in[3 * (w * y + x - 1) + c]) / 3);
#pragma endscop
}

static void cube(int n, double *a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[(i * n + j) * n + k] += b[k * n * n + (n - 1 - j) * n + i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 1; k < n; k++)
                a[i * n * n + j * n + k] += 0.5 * a[i * n * n + j * n + k - 1];
    for (int j = n - 1; j >= 0; j--)
        for (int k = 0; k < n; k++)
            b[(size_t) j * n + (size_t) k] = a[(n - 1) * n * n + j * n + k];
#pragma endscop
}

static void relax(int n, double *x, int *at)
{
#pragma scop
    for (int t = 0; t < 5; t++) {
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                x[AT(i, j)] = 0.2 * (x[AT(i - 1, j)] + x[AT(i + 1, j)] + x[AT(i, j - 1)] + x[AT(i, j + 1)]);
        for (int i = 1; i <= n; i++) {
            x[AT(0, i)] = x[AT(1, i)];
            x[AT(n + 1, i)] = -x[AT(n, i)];
            x[AT(i, n + 1)] += x[at[i]];
        }
    }
#pragma endscop
}

static double data[4][20 * 20 * 20];
static unsigned char picture[2][33 * 21 * 3];
static int places[30];

int main(void)
{
    for (int i = 0; i < 4 * 20 * 20 * 20; i++)
        ((double *) data)[i] = (i * 37 % 101) / 64.0;
    for (int i = 0; i < 2 * 33 * 21 * 3; i++)
        ((unsigned char *) picture)[i] = (unsigned char) (i * 29);
    for (int i = 0; i < 30; i++)
        places[i] = i * 7 % 30;
    product(23, 41, 35, data[0], data[1], data[2]);
    product(0, 3, 4, data[0], data[1], data[2]);
    product(3, 5, 0, data[0], data[1], data[2]);
    blur(33, 21, picture[0], picture[1]);
    blur(1, 3, picture[0], picture[1]);
    cube(18, data[0], data[3]);
    cube(1, data[0], data[3]);
    relax(28, data[2], places);
    relax(-1, data[2], places);
    for (int i = 0; i < 4 * 20 * 20 * 20; i++)
        printf("%a\n", ((double *) data)[i]);
    for (int i = 0; i < 2 * 33 * 21 * 3; i++)
        printf("%d\n", ((unsigned char *) picture)[i]);
    return 0;
}
