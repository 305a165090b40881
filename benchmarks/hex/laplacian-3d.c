/*
 * Smoothing by the discrete Laplacian on a cube, 7-point stencil:
 *
 *     A(p) = A(p) + L(p) / 16,  L(p) = sum of A over the six neighbours of p - 6 A(p)
 *
 * with the terms of A(p) taken together.
 *
 * Measured by Grosser, Verdoolaege, Cohen and Sadayappan in section 6 of "The
 * promises of hybrid hexagonal/classical tiling for GPU" (INRIA research report
 * 8339, 2013), in float. Two grids take turns as in figure 1 of the report, which
 * prints no formula for this stencil; the factor 1/16 and the text are our own.
 *
 * Sizes: TSTEPS time steps on N x N x N points, of which the outermost stay as
 * they are; large is the report's 256 x 256 x 256 with 128 steps.
 */

void kernel_laplacian_3d(int TSTEPS, int N, float A[2][N][N][N])
{
    int t, i, j, k;

#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                for (k = 1; k < N - 1; k++)
                    A[(t + 1) % 2][i][j][k] = 0.625f * A[t % 2][i][j][k]
                        + 0.0625f * (A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k]
                                     + A[t % 2][i][j - 1][k] + A[t % 2][i][j + 1][k]
                                     + A[t % 2][i][j][k - 1] + A[t % 2][i][j][k + 1]);
#pragma endscop
}

void kernel_laplacian_3d_init(int TSTEPS, int N, float A[2][N][N][N])
{
    (void)TSTEPS;

    for (int t = 0; t < 2; t++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int k = 0; k < N; k++)
                    A[t][i][j][k] = (float)((449 * t + 37 * i + 101 * j + 229 * k + 1) % 1009) / 1009.0f;
}
