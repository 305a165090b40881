/*
 * Two matrix-vector products, scaled and summed:
 *
 *     y = alpha A x + beta B x
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A and B are N x N, the vectors have N elements; tmp = A x.
 */

void kernel_gesummv(int N, double alpha, double beta, double A[N][N], double B[N][N],
                    double tmp[N], double x[N], double y[N])
{
    int i, j;

#pragma scop
    for (i = 0; i < N; i++) {
        tmp[i] = 0.0;
        y[i] = 0.0;
        for (j = 0; j < N; j++) {
            tmp[i] = A[i][j] * x[j] + tmp[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
#pragma endscop
}

void kernel_gesummv_init(int N, double alpha, double beta, double A[N][N],
                         double B[N][N], double tmp[N], double x[N], double y[N])
{
    (void)alpha;
    (void)beta;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            B[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        tmp[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        x[i] = (double)((23 * i + 22) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        y[i] = (double)((89 * i + 29) % 1009) / 1009.0;
}
