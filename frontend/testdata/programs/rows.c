/* Arrays with one subscript that counts rows: matrices, pictures with channels, cubes, borders, and a mixture with other subscripts. */
#include <stdio.h>
#include <stdlib.h>
#define AT(i, j) ((i) + (n + 2) * (j))
#define WIDTH 48
#define GRID(i, j) grid[(i) * WIDTH + (j)]

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

static double grid[40 * WIDTH], next[40 * WIDTH];

/* Rows of constant length in arrays of the file, and an element by a macro. */
static void steps(int t)
{
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < WIDTH - 1; j++)
                next[i * WIDTH + j] = 0.2 * (GRID(i, j) + GRID(i - 1, j) + GRID(i + 1, j) + GRID(i, j - 1) + GRID(i, j + 1));
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < WIDTH - 1; j++)
                GRID(i, j) = next[i * WIDTH + j];
    }
#pragma endscop
}

/* A temporary matrix, between two products. */
static void products(int n, int m, const float *a, const float *b, float *c)
{
    float between[n * m];
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            between[i * m + j] = 0;
            for (int k = 0; k < m; k++)
                between[i * m + j] += a[i * m + k] * b[k * m + j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < m; k++)
                c[i * n + j] += between[i * m + k] * b[k * m];
        }
#pragma endscop
}

/* A matrix by rows and by columns, and an index with a name. */
static void sweeps(size_t n, size_t m, const double *a, const double *x, double *y, double *z)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        y[i] = 0;
    for (size_t j = 0; j < m; j++)
        z[j] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            const size_t at = i * m + j;
            y[i] += a[at] * x[j];
            z[j] += a[at] * y[i];
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
    for (int i = 0; i < 40 * WIDTH; i++)
        grid[i] = i % 13;
    steps(0);
    steps(7);
    float small[3][40 * 40];
    for (int i = 0; i < 3 * 40 * 40; i++)
        ((float *) small)[i] = i % 7;
    products(37, 39, small[0], small[1], small[2]);
    products(1, 1, small[0], small[1], small[2]);
    sweeps(31, 27, data[1], data[2], data[3], data[0]);
    sweeps(0, 27, data[1], data[2], data[3], data[0]);
    sweeps(3, 0, data[1], data[2], data[3], data[0]);
    for (int i = 0; i < 40 * WIDTH; i++)
        printf("%a\n", grid[i]);
    for (int i = 0; i < 40 * 40; i++)
        printf("%a\n", (double) small[2][i]);
    for (int i = 0; i < 4 * 20 * 20 * 20; i++)
        printf("%a\n", ((double *) data)[i]);
    for (int i = 0; i < 2 * 33 * 21 * 3; i++)
        printf("%d\n", ((unsigned char *) picture)[i]);
    return 0;
}
