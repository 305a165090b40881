/*
 * Covariance matrix of M variables, each observed N times, not divided by the
 * number of observations; elements are numbered from 1:
 *
 *     mean(j)     = (sum over i of data(i,j)) / N
 *     z(i,j)      = data(i,j) - mean(j)
 *     symmat(i,j) = sum over k of z(k,i) z(k,j)
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: data is (N+1) x (M+1) and is replaced by z, symmat is (M+1) x (M+1), mean
 * has M+1 elements; the first of each row and column is not used.
 */

void kernel_covar(int M, int N, double data[N + 1][M + 1], double symmat[M + 1][M + 1],
                  double mean[M + 1])
{
    int i, j, j1, j2;
    double float_n = N;

#pragma scop
    for (j = 1; j <= M; j++) {
        mean[j] = 0.0;
        for (i = 1; i <= N; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (i = 1; i <= N; i++)
        for (j = 1; j <= M; j++)
            data[i][j] -= mean[j];
    for (j1 = 1; j1 <= M; j1++)
        for (j2 = j1; j2 <= M; j2++) {
            symmat[j1][j2] = 0.0;
            for (i = 1; i <= N; i++)
                symmat[j1][j2] += data[i][j1] * data[i][j2];
            symmat[j2][j1] = symmat[j1][j2];
        }
#pragma endscop
}

void kernel_covar_init(int M, int N, double data[N + 1][M + 1],
                       double symmat[M + 1][M + 1], double mean[M + 1])
{
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            data[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i <= M; i++)
        for (int j = 0; j <= M; j++)
            symmat[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i <= M; i++)
        mean[i] = (double)((71 * i + 15) % 1009) / 1009.0;
}
