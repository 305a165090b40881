/*
 * Covariance matrix of M variables, each observed N times:
 *
 *     mean(j)  = (sum over i of data(i,j)) / N
 *     cov(i,j) = (sum over k of (data(k,i) - mean(i)) (data(k,j) - mean(j))) / (N - 1)
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: data is N x M and is centred in place, cov is M x M, mean has M
 * elements.
 */

void kernel_covariance(int M, int N, double data[N][M], double cov[M][M], double mean[M])
{
    int i, j, k;
    double float_n = N;

#pragma scop
    for (j = 0; j < M; j++) {
        mean[j] = 0.0;
        for (i = 0; i < N; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            data[i][j] -= mean[j];
    for (i = 0; i < M; i++)
        for (j = i; j < M; j++) {
            cov[i][j] = 0.0;
            for (k = 0; k < N; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= float_n - 1.0;
            cov[j][i] = cov[i][j];
        }
#pragma endscop
}

void kernel_covariance_init(int M, int N, double data[N][M], double cov[M][M],
                            double mean[M])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            data[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            cov[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        mean[i] = (double)((71 * i + 15) % 1009) / 1009.0;
}
