/*
 * Arrays that are shorter than a tile, with bounds in variables: the code of
 * full tiles would leave the arrays, and compilers would warn of that. Names
 * are those that generated code likes.
 */
#include <stdio.h>
#define N 37

static int c0[N], c1[N][N], lb, tune_min = 2, tune_max = 9, floord = 3, t1;
static int A[4][5][3][4], B[4][5][3][4];
static long t;

static int tune_floor(int x) { return x + 1; }

int main(void)
{
    int c2 = 1, min = 3, max = N, ii = 2, tile = 3;
    int a, b, c, d, e, f;
#pragma scop
    for (int c4 = lb; c4 < max; c4++) {
        c0[c4] = c4 * c2 + lb + floord + tune_floor(c4);
        for (int c3 = 0; c3 < max - c2; c3++)
            c1[c4][c3 + 1] = c0[c4] * c3 + tune_min * tune_max + t1;
    }
    for (int t3 = min; t3 < max; t3++)
        for (int p0 = ii; p0 <= t3; p0++)
            c1[t3][p0] += c1[t3 - tile][p0 - 2] + c2;
#pragma endscop
#pragma scop
    for (a = 0; a < 4; a++)
        for (b = 0; b < 5; b++)
            for (c = 0; c < 3; c++)
                for (d = 0; d < 4; d++) {
                    A[a][b][c][d] = a + 2 * b + 3 * c + 5 * d;
                    for (e = 0; e <= a; e++)
                        for (f = 0; f <= b; f++)
                            B[a][b][c][d] += A[e][f][c][d];
                    t += B[a][b][c][d];
                }
#pragma endscop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d %d\n", c0[i], c1[i][j]);
    for (int i = 0; i < 4; i++)
        printf("%d %d\n", A[i][i][i / 2][i], B[i][i + 1][2][3 - i]);
    printf("%ld\n", t);
    return 0;
}
