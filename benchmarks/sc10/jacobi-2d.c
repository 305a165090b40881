/*
 * Jacobi iteration with the 5-point stencil on a square, with a copy back:
 *
 *     B(i,j) = (A(i,j) + A(i,j-1) + A(i,j+1) + A(i+1,j) + A(i-1,j)) / 5
 *     A(i,j) = B(i,j)
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: TSTEPS time steps, A and B are N x N; row and column 1 stay as they
 * are, like the border.
 */

void kernel_jacobi_2d(int TSTEPS, int N, double A[N][N], double B[N][N])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < TSTEPS; t++) {
        for (i = 2; i < N - 1; i++)
            for (j = 2; j < N - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (i = 2; i < N - 1; i++)
            for (j = 2; j < N - 1; j++)
                A[i][j] = B[i][j];
    }
#pragma endscop
}

void kernel_jacobi_2d_init(int TSTEPS, int N, double A[N][N], double B[N][N])
{
    (void)TSTEPS;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            B[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
}
