/*
 * Symmetric matrix product:
 *
 *     C = alpha A B + beta C,  A symmetric and stored as its lower triangle
 *
 * Row i of A adds to the rows of C above i and to row i itself; the latter sum
 * is gathered in temp2.
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is M x M and only its lower triangle is used, B and C are M x N.
 */

void kernel_symm(int M, int N, double alpha, double beta, double C[M][N], double A[M][M],
                 double B[M][N])
{
    int i, j, k;
    double temp2;

#pragma scop
    for (i = 0; i < M; i++)
        for (j = 0; j < N; j++) {
            temp2 = 0.0;
            for (k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                temp2 += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
        }
#pragma endscop
}

void kernel_symm_init(int M, int N, double alpha, double beta, double C[M][N],
                      double A[M][M], double B[M][N])
{
    (void)alpha;
    (void)beta;

    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            C[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            B[i][j] = (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
}
