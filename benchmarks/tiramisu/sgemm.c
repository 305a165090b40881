/*
 * Matrix product in single precision, as the level-3 BLAS has it:
 *
 *     C = alpha A B + beta C
 *
 * Benchmark sgemm of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-A; the text is our own.
 * C is scaled in a loop nest of its own, as a call of a library would.
 *
 * Sizes: C is NI x NJ, A is NI x NK, B is NK x NJ; large is the paper's 1060.
 */

void kernel_sgemm(int NI, int NJ, int NK, float alpha, float beta, float C[NI][NJ],
                  float A[NI][NK], float B[NK][NJ])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < NI; i++)
        for (j = 0; j < NJ; j++)
            C[i][j] *= beta;
    for (i = 0; i < NI; i++)
        for (j = 0; j < NJ; j++)
            for (k = 0; k < NK; k++)
                C[i][j] += alpha * A[i][k] * B[k][j];
#pragma endscop
}

void kernel_sgemm_init(int NI, int NJ, int NK, float alpha, float beta, float C[NI][NJ],
                       float A[NI][NK], float B[NK][NJ])
{
    (void)alpha;
    (void)beta;

    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            C[i][j] = (float)((37 * i + 101 * j + 1) % 1009) / 1009.0f;
    for (int i = 0; i < NI; i++)
        for (int k = 0; k < NK; k++)
            A[i][k] = (float)((29 * i + 83 * k + 8) % 1009) / 1009.0f;
    for (int k = 0; k < NK; k++)
        for (int j = 0; j < NJ; j++)
            B[k][j] = (float)((71 * k + 19 * j + 15) % 1009) / 1009.0f;
}
