/*
 * Symmetric rank-M update of a lower triangle:
 *
 *     C = alpha A A^T + beta C
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is N x M, C is N x N and only its lower triangle is used.
 */

void kernel_syrk(int N, int M, double alpha, double beta, double C[N][N], double A[N][M])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < N; i++) {
        for (j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (k = 0; k < M; k++)
            for (j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
    }
#pragma endscop
}

void kernel_syrk_init(int N, int M, double alpha, double beta, double C[N][N],
                      double A[N][M])
{
    (void)alpha;
    (void)beta;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            C[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
}
