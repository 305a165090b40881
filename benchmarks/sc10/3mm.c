/*
 * Three matrix products:
 *
 *     E = A B,  F = C D,  G = E F
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: A is NI x NK, B is NK x NJ, C is NJ x NM, D is NM x NL; E is NI x NJ,
 * F is NJ x NL, G is NI x NL.
 */

void kernel_3mm(int NI, int NJ, int NK, int NL, int NM, double A[NI][NK],
                double B[NK][NJ], double C[NJ][NM], double D[NM][NL], double E[NI][NJ],
                double F[NJ][NL], double G[NI][NL])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < NI; i++)
        for (j = 0; j < NJ; j++) {
            E[i][j] = 0.0;
            for (k = 0; k < NK; k++)
                E[i][j] += A[i][k] * B[k][j];
        }
    for (i = 0; i < NJ; i++)
        for (j = 0; j < NL; j++) {
            F[i][j] = 0.0;
            for (k = 0; k < NM; k++)
                F[i][j] += C[i][k] * D[k][j];
        }
    for (i = 0; i < NI; i++)
        for (j = 0; j < NL; j++) {
            G[i][j] = 0.0;
            for (k = 0; k < NJ; k++)
                G[i][j] += E[i][k] * F[k][j];
        }
#pragma endscop
}

void kernel_3mm_init(int NI, int NJ, int NK, int NL, int NM, double A[NI][NK],
                     double B[NK][NJ], double C[NJ][NM], double D[NM][NL],
                     double E[NI][NJ], double F[NJ][NL], double G[NI][NL])
{
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NK; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < NK; i++)
        for (int j = 0; j < NJ; j++)
            B[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NM; j++)
            C[i][j] = (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
    for (int i = 0; i < NM; i++)
        for (int j = 0; j < NL; j++)
            D[i][j] = (double)((23 * i + 61 * j + 22) % 1009) / 1009.0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            E[i][j] = (double)((89 * i + 31 * j + 29) % 1009) / 1009.0;
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NL; j++)
            F[i][j] = (double)((47 * i + 11 * j + 36) % 1009) / 1009.0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++)
            G[i][j] = (double)((59 * i + 7 * j + 43) % 1009) / 1009.0;
}
