/*
 * A matrix and its transpose applied to a vector:
 *
 *     y = A^T (A x)
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: A is NX x NY, x and y have NY elements, tmp = A x has NX.
 */

void kernel_atax(int NX, int NY, double A[NX][NY], double x[NY], double y[NY],
                 double tmp[NX])
{
    int i, j;

#pragma scop
    for (i = 0; i < NY; i++)
        y[i] = 0.0;
    for (i = 0; i < NX; i++) {
        tmp[i] = 0.0;
        for (j = 0; j < NY; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (j = 0; j < NY; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
#pragma endscop
}

void kernel_atax_init(int NX, int NY, double A[NX][NY], double x[NY], double y[NY],
                      double tmp[NX])
{
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < NY; i++)
        x[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < NY; i++)
        y[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < NX; i++)
        tmp[i] = (double)((23 * i + 22) % 1009) / 1009.0;
}
