/*
 * Two matrix products in a row:
 *
 *     C = A B,  E = C D
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: A is NI x NK, B is NK x NJ, C is NI x NJ, D is NJ x NL, E is NI x NL.
 */

void kernel_2mm(int NI, int NJ, int NK, int NL, double A[NI][NK], double B[NK][NJ],
                double C[NI][NJ], double D[NJ][NL], double E[NI][NL])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < NI; i++)
        for (j = 0; j < NJ; j++) {
            C[i][j] = 0.0;
            for (k = 0; k < NK; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
    for (i = 0; i < NI; i++)
        for (j = 0; j < NL; j++) {
            E[i][j] = 0.0;
            for (k = 0; k < NJ; k++)
                E[i][j] += C[i][k] * D[k][j];
        }
#pragma endscop
}

void kernel_2mm_init(int NI, int NJ, int NK, int NL, double A[NI][NK], double B[NK][NJ],
                     double C[NI][NJ], double D[NJ][NL], double E[NI][NL])
{
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NK; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < NK; i++)
        for (int j = 0; j < NJ; j++)
            B[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            C[i][j] = (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NL; j++)
            D[i][j] = (double)((23 * i + 61 * j + 22) % 1009) / 1009.0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++)
            E[i][j] = (double)((89 * i + 31 * j + 29) % 1009) / 1009.0;
}
