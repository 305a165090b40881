/*
 * Gauss-Seidel iteration with the 9-point stencil on a square, in place:
 *
 *     A(i,j) = (sum of A over the 3 x 3 points around (i,j)) / 9
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: TSTEPS time steps, A is N x N.
 */

void kernel_seidel(int TSTEPS, int N, double A[N][N])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1]
                           + A[i][j - 1] + A[i][j] + A[i][j + 1]
                           + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
#pragma endscop
}

void kernel_seidel_init(int TSTEPS, int N, double A[N][N])
{
    (void)TSTEPS;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
}
