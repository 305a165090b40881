/*
 * Maxwell's equations in two dimensions by finite differences in the time
 * domain; _fict_ drives the edge of the field:
 *
 *     ey(0,j) = _fict_(t)
 *     ey(i,j) = ey(i,j) - 1/2 (hz(i,j) - hz(i-1,j))
 *     ex(i,j) = ex(i,j) - 1/2 (hz(i,j) - hz(i,j-1))
 *     hz(i,j) = hz(i,j) - 7/10 (ex(i,j+1) - ex(i,j) + ey(i+1,j) - ey(i,j))
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: TMAX time steps, ex, ey and hz are NX x NY, _fict_ has TMAX elements.
 * With any columns (NY > 0) there must be a row (NX > 0).
 */

void kernel_fdtd_2d(int TMAX, int NX, int NY, double ex[NX][NY], double ey[NX][NY],
                    double hz[NX][NY], double _fict_[TMAX])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < TMAX; t++) {
        for (j = 0; j < NY; j++)
            ey[0][j] = _fict_[t];
        for (i = 1; i < NX; i++)
            for (j = 0; j < NY; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (i = 0; i < NX; i++)
            for (j = 1; j < NY; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (i = 0; i < NX - 1; i++)
            for (j = 0; j < NY - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
}

void kernel_fdtd_2d_init(int TMAX, int NX, int NY, double ex[NX][NY], double ey[NX][NY],
                         double hz[NX][NY], double _fict_[TMAX])
{
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            ex[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            ey[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            hz[i][j] = (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
    for (int i = 0; i < TMAX; i++)
        _fict_[i] = (double)((23 * i + 22) % 1009) / 1009.0;
}
