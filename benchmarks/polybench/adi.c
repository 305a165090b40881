/*
 * Heat conduction on a square by alternating directions: each time step solves
 * a tridiagonal system for every inner column, then one for every inner row;
 * the border is 1:
 *
 *     a v(j-1,i) + b v(j,i) + c v(j+1,i) = -d u(j,i-1) + (1+2d) u(j,i) - f u(j,i+1)
 *     d u(i,j-1) + e u(i,j) + f u(i,j+1) = -a v(i-1,j) + (1+2a) v(i,j) - c v(i+1,j)
 *     a = c = -N^2 / TSTEPS,  b = 1 - 2a,  d = f = a / 2,  e = 1 - 2d
 *
 * Elimination forwards leaves v(j,i) = p(i,j) v(j+1,i) + q(i,j), which is then
 * substituted backwards, and likewise for u.
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: TSTEPS time steps, all arrays are N x N.
 */

void kernel_adi(int TSTEPS, int N, double u[N][N], double v[N][N], double p[N][N],
                double q[N][N])
{
    int t, i, j;
    double dx, dy, dt;
    double b1, b2;
    double mul1, mul2;
    double a, b, c, d, e, f;

#pragma scop
    dx = 1.0 / (double)N;
    dy = 1.0 / (double)N;
    dt = 1.0 / (double)TSTEPS;
    b1 = 2.0;
    b2 = 1.0;
    mul1 = b1 * dt / (dx * dx);
    mul2 = b2 * dt / (dy * dy);
    a = -mul1 / 2.0;
    b = 1.0 + mul1;
    c = a;
    d = -mul2 / 2.0;
    e = 1.0 + mul2;
    f = d;
    for (t = 1; t <= TSTEPS; t++) {
        for (i = 1; i < N - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (j = 1; j < N - 1; j++) {
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1]
                           - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
            }
            v[N - 1][i] = 1.0;
            for (j = N - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        for (i = 1; i < N - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (j = 1; j < N - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j]
                           - d * q[i][j - 1]) / (d * p[i][j - 1] + e);
            }
            u[i][N - 1] = 1.0;
            for (j = N - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
#pragma endscop
}

void kernel_adi_init(int TSTEPS, int N, double u[N][N], double v[N][N], double p[N][N],
                     double q[N][N])
{
    (void)TSTEPS;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            u[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            v[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            p[i][j] = (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            q[i][j] = (double)((23 * i + 59 * j + 22) % 1009) / 1009.0;
}
