/*
 * The two kernels that take most of the time of HPCG, the benchmark for
 * preconditioned conjugate gradients, one after the other: a symmetric
 * Gauss-Seidel step on A z = r, forwards and then backwards through the unknowns,
 * and the product q = A z.
 *
 * A is HPCG's matrix: one unknown for each point of a grid, 26 on the diagonal and
 * -1 for each of up to 26 neighbours, so that with zeros around the grid
 *
 *     (A z)(p) = 26 z(p) - (sum of z over the 26 points around p)
 *
 * HPCG keeps A as a general sparse matrix; on its regular grid all subscripts are
 * affine. Benchmark HPCG of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-A, after the description
 * at http://www.hpcg-benchmark.org; the text is our own.
 *
 * Sizes: the grid has NX x NY x NZ points, and z a layer of zeros around them;
 * large is 104 x 104 x 104. (The paper's measurements are of a matrix of
 * 1060 x 1060.)
 */

#define HPCG_SQUARE(z, i, j, k)                                                            \
    (z[i][j][k] + z[i][j][k + 1] + z[i][j][k + 2] + z[i][j + 1][k] + z[i][j + 1][k + 1]    \
     + z[i][j + 1][k + 2] + z[i][j + 2][k] + z[i][j + 2][k + 1] + z[i][j + 2][k + 2])
#define HPCG_RING(z, i, j, k)                                                              \
    (z[i][j][k] + z[i][j][k + 1] + z[i][j][k + 2] + z[i][j + 1][k] + z[i][j + 1][k + 2]    \
     + z[i][j + 2][k] + z[i][j + 2][k + 1] + z[i][j + 2][k + 2])
#define HPCG_AROUND(z, i, j, k)                                                            \
    (HPCG_SQUARE(z, i, j, k) + HPCG_RING(z, i + 1, j, k) + HPCG_SQUARE(z, i + 2, j, k))

void kernel_hpcg(int NX, int NY, int NZ, double q[NX][NY][NZ], double z[NX + 2][NY + 2][NZ + 2],
                 double r[NX][NY][NZ])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < NX; i++)
        for (j = 0; j < NY; j++)
            for (k = 0; k < NZ; k++)
                z[i + 1][j + 1][k + 1] = (r[i][j][k] + HPCG_AROUND(z, i, j, k)) / 26.0;
    for (i = NX - 1; i >= 0; i--)
        for (j = NY - 1; j >= 0; j--)
            for (k = NZ - 1; k >= 0; k--)
                z[i + 1][j + 1][k + 1] = (r[i][j][k] + HPCG_AROUND(z, i, j, k)) / 26.0;
    for (i = 0; i < NX; i++)
        for (j = 0; j < NY; j++)
            for (k = 0; k < NZ; k++)
                q[i][j][k] = 26.0 * z[i + 1][j + 1][k + 1] - HPCG_AROUND(z, i, j, k);
#pragma endscop
}

void kernel_hpcg_init(int NX, int NY, int NZ, double q[NX][NY][NZ], double z[NX + 2][NY + 2][NZ + 2],
                      double r[NX][NY][NZ])
{
    for (int i = 0; i < NX + 2; i++)
        for (int j = 0; j < NY + 2; j++)
            for (int k = 0; k < NZ + 2; k++)
                z[i][j][k] = 0.0;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++) {
                q[i][j][k] = (double)((37 * i + 101 * j + 229 * k + 1) % 1009) / 1009.0;
                z[i + 1][j + 1][k + 1] = (double)((29 * i + 83 * j + 211 * k + 8) % 1009) / 1009.0;
                r[i][j][k] = (double)((71 * i + 19 * j + 197 * k + 15) % 1009) / 1009.0;
            }
}
