/*
 * Jacobi iteration with the 5-point stencil on a square, two steps per time
 * step:
 *
 *     B(i,j) = (A(i,j) + A(i,j-1) + A(i,j+1) + A(i+1,j) + A(i-1,j)) / 5,
 *     then A from B likewise
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: TSTEPS time steps, A and B are N x N.
 */

void kernel_jacobi_2d(int TSTEPS, int N, double A[N][N], double B[N][N])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < TSTEPS; t++) {
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
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
