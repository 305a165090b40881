/*
 * Two matrix products in a row:
 *
 *     D = alpha A B C + beta D
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is NI x NK, B is NK x NJ, C is NJ x NL, D is NI x NL; tmp = alpha A B
 * is NI x NJ.
 */

void kernel_2mm(int NI, int NJ, int NK, int NL, double alpha, double beta,
                double tmp[NI][NJ], double A[NI][NK], double B[NK][NJ], double C[NJ][NL],
                double D[NI][NL])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < NI; i++)
        for (j = 0; j < NJ; j++) {
            tmp[i][j] = 0.0;
            for (k = 0; k < NK; k++)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (i = 0; i < NI; i++)
        for (j = 0; j < NL; j++) {
            D[i][j] *= beta;
            for (k = 0; k < NJ; k++)
                D[i][j] += tmp[i][k] * C[k][j];
        }
#pragma endscop
}

void kernel_2mm_init(int NI, int NJ, int NK, int NL, double alpha, double beta,
                     double tmp[NI][NJ], double A[NI][NK], double B[NK][NJ],
                     double C[NJ][NL], double D[NI][NL])
{
    (void)alpha;
    (void)beta;

    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            tmp[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NK; j++)
            A[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < NK; i++)
        for (int j = 0; j < NJ; j++)
            B[i][j] = (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NL; j++)
            C[i][j] = (double)((23 * i + 61 * j + 22) % 1009) / 1009.0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++)
            D[i][j] = (double)((89 * i + 31 * j + 29) % 1009) / 1009.0;
}
