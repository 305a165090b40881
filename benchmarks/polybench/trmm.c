/*
 * Triangular matrix product in place:
 *
 *     B = alpha A^T B,  A lower triangular with a unit diagonal
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is M x M and only its part below the diagonal is used, B is M x N.
 */

void kernel_trmm(int M, int N, double alpha, double A[M][M], double B[M][N])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < M; i++)
        for (j = 0; j < N; j++) {
            for (k = i + 1; k < M; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
#pragma endscop
}

void kernel_trmm_init(int M, int N, double alpha, double A[M][M], double B[M][N])
{
    (void)alpha;

    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            B[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
}
