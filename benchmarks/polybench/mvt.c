/*
 * A matrix and its transpose, each added to a vector of its own:
 *
 *     x1 = x1 + A y_1,  x2 = x2 + A^T y_2
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is N x N, the vectors have N elements.
 */

void kernel_mvt(int N, double x1[N], double x2[N], double y_1[N], double y_2[N],
                double A[N][N])
{
    int i, j;

#pragma scop
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            x1[i] = x1[i] + A[i][j] * y_1[j];
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            x2[i] = x2[i] + A[j][i] * y_2[j];
#pragma endscop
}

void kernel_mvt_init(int N, double x1[N], double x2[N], double y_1[N], double y_2[N],
                     double A[N][N])
{
    for (int i = 0; i < N; i++)
        x1[i] = (double)((37 * i + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        x2[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        y_1[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        y_2[i] = (double)((23 * i + 22) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((89 * i + 31 * j + 29) % 1009) / 1009.0;
}
