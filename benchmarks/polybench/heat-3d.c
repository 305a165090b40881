/*
 * Heat equation on a cube, 7-point stencil, two steps per time step:
 *
 *     B(x) = A(x) + sum over the directions d of (A(x+d) - 2 A(x) + A(x-d)) / 8,
 *     then A from B likewise
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: TSTEPS time steps, A and B are N x N x N.
 */

void kernel_heat_3d(int TSTEPS, int N, double A[N][N][N], double B[N][N][N])
{
    int t, i, j, k;

#pragma scop
    for (t = 1; t <= TSTEPS; t++) {
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                for (k = 1; k < N - 1; k++)
                    B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k])
                                 + 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k])
                                 + 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1])
                                 + A[i][j][k];
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                for (k = 1; k < N - 1; k++)
                    A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k])
                                 + 0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k])
                                 + 0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1])
                                 + B[i][j][k];
    }
#pragma endscop
}

void kernel_heat_3d_init(int TSTEPS, int N, double A[N][N][N], double B[N][N][N])
{
    (void)TSTEPS;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                A[i][j][k] = (double)((37 * i + 101 * j + 53 * k + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                B[i][j][k] = (double)((29 * i + 83 * j + 47 * k + 8) % 1009) / 1009.0;
}
