/*
 * Maxwell's equations in two dimensions by finite differences in the time
 * domain; drive is the field at the edge:
 *
 *     ey(0,j) = drive(t)
 *     ey(i,j) = ey(i,j) - 1/2 (hz(i,j) - hz(i-1,j))
 *     ex(i,j) = ex(i,j) - 1/2 (hz(i,j) - hz(i,j-1))
 *     hz(i,j) = hz(i,j) - 7/10 (ex(i,j+1) - ex(i,j) + ey(i+1,j) - ey(i,j))
 *
 * Measured by Grosser, Verdoolaege, Cohen and Sadayappan in section 6 of "The
 * promises of hybrid hexagonal/classical tiling for GPU" (INRIA research report
 * 8339, 2013), in float, as the stencil of several statements. The report prints
 * no formula; statements and factors are those of PolyBench's fdtd-2d, the text
 * is our own.
 *
 * Sizes: TSTEPS time steps, ex, ey and hz are N x N, drive has TSTEPS elements;
 * large is the report's 2048 x 2048 with 512 steps.
 */

void kernel_fdtd_2d(int TSTEPS, int N, float ex[N][N], float ey[N][N], float hz[N][N],
                    float drive[TSTEPS])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < TSTEPS; t++) {
        for (j = 0; j < N; j++)
            ey[0][j] = drive[t];
        for (i = 1; i < N; i++)
            for (j = 0; j < N; j++)
                ey[i][j] -= 0.5f * (hz[i][j] - hz[i - 1][j]);
        for (i = 0; i < N; i++)
            for (j = 1; j < N; j++)
                ex[i][j] -= 0.5f * (hz[i][j] - hz[i][j - 1]);
        for (i = 0; i < N - 1; i++)
            for (j = 0; j < N - 1; j++)
                hz[i][j] -= 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
}

void kernel_fdtd_2d_init(int TSTEPS, int N, float ex[N][N], float ey[N][N], float hz[N][N],
                         float drive[TSTEPS])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            ex[i][j] = (float)((37 * i + 101 * j + 1) % 1009) / 1009.0f;
            ey[i][j] = (float)((29 * i + 83 * j + 8) % 1009) / 1009.0f;
            hz[i][j] = (float)((71 * i + 19 * j + 15) % 1009) / 1009.0f;
        }
    for (int t = 0; t < TSTEPS; t++)
        drive[t] = (float)((23 * t + 22) % 1009) / 1009.0f;
}
