/*
 * General matrix product:
 *
 *     C = alpha A B + beta C
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is NI x NK, B is NK x NJ, C is NI x NJ.
 */

void kernel_gemm(int NI, int NJ, int NK, double alpha, double beta, double C[NI][NJ],
                 double A[NI][NK], double B[NK][NJ])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < NI; i++) {
        for (j = 0; j < NJ; j++)
            C[i][j] *= beta;
        for (k = 0; k < NK; k++)
            for (j = 0; j < NJ; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}

void kernel_gemm_init(int NI, int NJ, int NK, double alpha, double beta,
                      double C[NI][NJ], double A[NI][NK], double B[NK][NJ])
{
    (void)alpha;
    (void)beta;

    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            C[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NK; j++)
            A[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < NK; i++)
        for (int j = 0; j < NJ; j++)
            B[i][j] = (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
}
