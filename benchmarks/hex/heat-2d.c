/*
 * Diffusion of heat on a square, 9-point stencil: each new value is the weighted
 * mean of the 3 x 3 values around it, with the weights 1/4, 1/2 and 1/4 along each
 * dimension, so that
 *
 *     A = 1/4 A(itself) + 1/8 (four neighbours at the sides) + 1/16 (four at the corners)
 *
 * Measured by Grosser, Verdoolaege, Cohen and Sadayappan in section 6 of "The
 * promises of hybrid hexagonal/classical tiling for GPU" (INRIA research report
 * 8339, 2013), in float. Two grids take turns as in figure 1 of the report, which
 * prints no formula for this stencil; the weights and the text are our own.
 *
 * Sizes: TSTEPS time steps on N x N points, of which the outermost stay as they
 * are; large is the report's 2048 x 2048 with 512 steps.
 */

void kernel_heat_2d(int TSTEPS, int N, float A[2][N][N])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                A[(t + 1) % 2][i][j] = 0.25f * A[t % 2][i][j]
                    + 0.125f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j]
                                + A[t % 2][i][j - 1] + A[t % 2][i][j + 1])
                    + 0.0625f * (A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j + 1]
                                 + A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j + 1]);
#pragma endscop
}

void kernel_heat_2d_init(int TSTEPS, int N, float A[2][N][N])
{
    (void)TSTEPS;

    for (int t = 0; t < 2; t++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[t][i][j] = (float)((449 * t + 37 * i + 101 * j + 1) % 1009) / 1009.0f;
}
