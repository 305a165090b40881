/*
 * A rank-2 update and two matrix-vector products:
 *
 *     A = A + u1 v1^T + u2 v2^T
 *     x = x + beta A^T y + z
 *     w = w + alpha A x
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: A is N x N, the vectors have N elements.
 */

void kernel_gemver(int N, double alpha, double beta, double A[N][N], double u1[N],
                   double v1[N], double u2[N], double v2[N], double w[N], double x[N],
                   double y[N], double z[N])
{
    int i, j;

#pragma scop
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            x[i] = x[i] + beta * A[j][i] * y[j];
    for (i = 0; i < N; i++)
        x[i] = x[i] + z[i];
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}

void kernel_gemver_init(int N, double alpha, double beta, double A[N][N], double u1[N],
                        double v1[N], double u2[N], double v2[N], double w[N],
                        double x[N], double y[N], double z[N])
{
    (void)alpha;
    (void)beta;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        u1[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        v1[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        u2[i] = (double)((23 * i + 22) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        v2[i] = (double)((89 * i + 29) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        w[i] = (double)((47 * i + 36) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        x[i] = (double)((59 * i + 43) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        y[i] = (double)((13 * i + 50) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        z[i] = (double)((5 * i + 57) % 1009) / 1009.0;
}
