/* Arrays with lists of initial values that are no constants or change afterwards, one for each iteration of the loops around. */
#include <stdio.h>
#define N 43
#define M 31
#define PAIR {x, 2 * x}
#define SCALE(v) ((v) * 0.5)

static double A[N][M], y[N], z[N];
static int counts[N][4];

static void run(int n, int m, double x)
{
#pragma scop
    /* One outside of all loops, with elements that the region reads before and after it changes them. */
    double outside[6] = {x, 0, 0, n};
    for (int i = 0; i < n; i++) {
        double sums[3] = {0};
        for (int j = 0; j < m; j++)
            sums[j % 3] += A[i][j];
        y[i] = sums[0] + sums[1] * sums[2] + outside[i % 6];
        outside[i % 6] = outside[i % 6] * 0.5 + outside[3];
    }
    /* Values of the iteration, zeros between them and behind, and what macros stand for. */
    for (int i = 1; i < n; i++) {
        int k = i * 2;
        double w[5] = {SCALE(y[i]), -0.0, A[i][0]}, pair[2] = PAIR, all[4] = {}, one = {y[i - 1]};
        const double weights[2] = {y[i], 0.25};
        int square[2][2] = {{1, 2}, {3, i}}, flat[2][3] = {1, 2, 3, k}, deep[2][3][4] = {{{0}, {k, 0, i}}, {{0, 5}}};
        for (int j = 0; j < m; j++) {
            w[j % 5] += A[i][j] * weights[j % 2];
            all[j & 3] -= w[(j + 1) % 5];
            flat[1][j % 3]++;
            deep[j % 2][j % 3][j % 4] += 1 + square[1][0];
        }
        square[1][1] += flat[1][2] + deep[0][1][2] + deep[1][2][3] + deep[0][0][0];
        pair[1] += all[1] + all[3] * one;
        z[i] = w[0] + w[1] * w[4] + pair[0] * pair[1] + square[1][1];
    }
    /* A histogram for each row, and one of the same name further in. */
    for (int i = 0; i < n; i++) {
        int bins[4] = {0};
        for (int j = 0; j < m; j++)
            bins[(i + j) % 4] += A[i][j] > 0.5;
        for (int b = 0; b < 4; b++) {
            int bins[2] = {b, counts[i][b]};
            bins[b % 2] += 7;
            counts[i][b] = bins[0] - bins[1];
        }
        for (int b = 0; b < 4; b++)
            counts[i][b] += bins[b];
    }
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            A[i][j] = (i * 7 + j * 5) % 13 * 0.125 - 0.25;
        y[i] = i;
    }
    run(N, M, 1.5);
    run(N - 3, 2, -0.75);
    run(0, 0, 1);
    for (int i = 0; i < N; i++)
        printf("%a %a %d %d %d %d\n", y[i], z[i], counts[i][0], counts[i][1], counts[i][2], counts[i][3]);
    return 0;
}
