/*
 * The two matrix-vector products of the biconjugate gradient method:
 *
 *     s = A^T r,  q = A p
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: A is NX x NY, s and p have NY elements, q and r have NX.
 */

void kernel_bicg(int NX, int NY, double A[NX][NY], double r[NX], double s[NY],
                 double p[NY], double q[NX])
{
    int i, j;

#pragma scop
    for (i = 0; i < NY; i++)
        s[i] = 0.0;
    for (i = 0; i < NX; i++) {
        q[i] = 0.0;
        for (j = 0; j < NY; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
#pragma endscop
}

void kernel_bicg_init(int NX, int NY, double A[NX][NY], double r[NX], double s[NY],
                      double p[NY], double q[NX])
{
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < NX; i++)
        r[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < NY; i++)
        s[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < NY; i++)
        p[i] = (double)((23 * i + 22) % 1009) / 1009.0;
    for (int i = 0; i < NX; i++)
        q[i] = (double)((89 * i + 29) % 1009) / 1009.0;
}
