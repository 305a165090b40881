/*
 * A matrix and its transpose applied to a vector:
 *
 *     y = A^T (A x)
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is M x N, x and y have N elements, tmp = A x has M.
 */

void kernel_atax(int M, int N, double A[M][N], double x[N], double y[N], double tmp[M])
{
    int i, j;

#pragma scop
    for (i = 0; i < N; i++)
        y[i] = 0.0;
    for (i = 0; i < M; i++) {
        tmp[i] = 0.0;
        for (j = 0; j < N; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (j = 0; j < N; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
#pragma endscop
}

void kernel_atax_init(int M, int N, double A[M][N], double x[N], double y[N],
                      double tmp[M])
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        x[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        y[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        tmp[i] = (double)((23 * i + 22) % 1009) / 1009.0;
}
