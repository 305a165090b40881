/* Elements that memcpy, memmove and memset copy and clear. */
#include <stdio.h>
#include <string.h>
#define N 23
#define BYTES(n) ((n) * sizeof(double))
static double grid[N][N], next[N][N], row[N], flat[N * N], big[2 * N];
static float counts[N];
static int marks[4][N];

static void steps(int n, int m, double a[n][m], double b[n][m], const double *restrict from, double *restrict to)
{
#pragma scop
    memset(b, 0, n * m * sizeof(double));
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            if (t > 0)
                memcpy(a[i], b[i], BYTES(m)); /* the whole
                                                 row */
    }
    memcpy(to, from + n, sizeof *to * n);
    (void)memcpy(&to[n], &from[0], n * sizeof(from[0]));
    memcpy(a, b, sizeof(double) * n * m);
#pragma endscop
}

static void fixed(int n)
{
#pragma scop
    for (int i = 0; i < N; i++) {
        double *at = grid[i];
        memcpy(row, at, sizeof row);
        for (int j = 0; j < N; j++)
            next[N - 1 - i][j] = row[j] + row[N - 1 - j];
        memmove(flat + i * N, next[N - 1 - i], sizeof(next[0]));
        memset(marks[i % 4], 0, N * sizeof(int));
        for (int j = 0; j < n; j++)
            marks[i % 4][j] += i;
    }
    memcpy(grid, next, sizeof(grid));
    memset(counts, 0, sizeof(float) * (n - 3));
    memcpy(big + 5, &row[3], 7 * sizeof(double));
    memset(grid[3], 0, 5 * sizeof(double));
    memcpy(flat + 7, big, 2 * n * sizeof(double));
    memcpy(next, grid, n * N * sizeof(double));
#pragma endscop
}

int main(void)
{
    static double a[N][N], b[N][N], to[2 * N], from[2 * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = grid[i][j] = (i * 31 + j * 17) % 13;
            b[i][j] = 9;
        }
    for (int i = 0; i < 2 * N; i++)
        from[i] = i * 0.5, big[i] = i;
    for (int i = 0; i < N; i++)
        counts[i] = i;
    for (int k = 0; k < 4; k++)
        marks[k][N - 1] = 7;
    steps(N, N, a, b, from, to);
    fixed(N - 2);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            printf("%g %g %g %g %g\n", a[i][j], b[i][j], grid[i][j], next[i][j], flat[i * N + j]);
        printf("%g %g %g %g %g\n", to[i], to[N + i], counts[i], big[i], row[i]);
        printf("%d %d %d %d\n", marks[0][i], marks[1][i], marks[2][i], marks[3][i]);
    }
    return 0;
}
