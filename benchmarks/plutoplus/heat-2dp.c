/*
 * Heat equation on a torus, explicit Euler steps with the 5-point stencil:
 *
 *     u(t+1,i,j) = u(t,i,j) + 1/8 (u(t,i+1,j) - 2 u(t,i,j) + u(t,i-1,j))
 *                           + 1/8 (u(t,i,j+1) - 2 u(t,i,j) + u(t,i,j-1))
 *
 * with indices modulo N. A[t % 2] holds u(t,.,.).
 *
 * One of the periodic heat equations of the evaluation of Pluto+ (Bondhugula,
 * Acharya, Cohen: "The Pluto+ Algorithm", TOPLAS 38(3), 2016, section 5, who
 * took them from the Pochoir suite, Tang et al., SPAA'11). The text is our own.
 *
 * Sizes: TSTEPS time steps, N x N points. Size extralarge is that of the
 * paper's table II.
 */

void kernel_heat_2dp(int TSTEPS, int N, double A[2][N][N])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++)
                A[(t + 1) % 2][i][j] = A[t % 2][i][j]
                    + 0.125 * (A[t % 2][i == N - 1 ? 0 : i + 1][j] - 2.0 * A[t % 2][i][j]
                               + A[t % 2][i == 0 ? N - 1 : i - 1][j])
                    + 0.125 * (A[t % 2][i][j == N - 1 ? 0 : j + 1] - 2.0 * A[t % 2][i][j]
                               + A[t % 2][i][j == 0 ? N - 1 : j - 1]);
#pragma endscop
}

void kernel_heat_2dp_init(int TSTEPS, int N, double A[2][N][N])
{
    (void)TSTEPS;

    for (int p = 0; p < 2; p++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[p][i][j] = (double)((503 * p + 37 * i + 101 * j + 1) % 1009) / 1009.0;
}
