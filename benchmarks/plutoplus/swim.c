/*
 * The shallow-water equations on a torus, by Sadourny's potential-enstrophy
 * conserving differences: velocities u and v, and p, the pressure over the
 * density, on a staggered grid. With the mass fluxes cu and cv, the potential
 * vorticity z and the height h,
 *
 *     cu(i,j) = 1/2 (p(i,j) + p(i-1,j)) u(i,j)
 *     cv(i,j) = 1/2 (p(i,j) + p(i,j-1)) v(i,j)
 *     z(i,j)  = (4/dx (v(i,j) - v(i-1,j)) - 4/dy (u(i,j) - u(i,j-1)))
 *               / (p(i-1,j-1) + p(i,j-1) + p(i,j) + p(i-1,j))
 *     h(i,j)  = p(i,j) + 1/4 (u(i+1,j)^2 + u(i,j)^2 + v(i,j+1)^2 + v(i,j)^2)
 *
 * a leapfrog step over the time tdt computes
 *
 *     unew(i,j) = uold(i,j) + tdt/8 (z(i,j+1) + z(i,j)) (cv(i,j+1) + cv(i-1,j+1) + cv(i-1,j) + cv(i,j))
 *                 - tdt/dx (h(i,j) - h(i-1,j))
 *     vnew(i,j) = vold(i,j) - tdt/8 (z(i+1,j) + z(i,j)) (cu(i+1,j) + cu(i,j) + cu(i,j-1) + cu(i+1,j-1))
 *                 - tdt/dy (h(i,j) - h(i,j-1))
 *     pnew(i,j) = pold(i,j) - tdt/dx (cu(i+1,j) - cu(i,j)) - tdt/dy (cv(i,j+1) - cv(i,j))
 *
 * and time smoothing damps the leapfrog's second solution:
 *
 *     uold = u + alpha (unew - 2 u + uold),  u = unew,  likewise v and p
 *
 * Indices are modulo M and N; the arrays have one more row and column, to
 * which loops after the first two nests copy the opposite side.
 *
 * The SPEC CPU2000 benchmark 171.swim (P. N. Swarztrauber) is such a program;
 * Pluto+ was evaluated on its three routines inlined in C (Bondhugula,
 * Acharya, Cohen: "The Pluto+ Algorithm", TOPLAS 38(3), 2016, section 5). This
 * is the same method (Sadourny, Journal of the Atmospheric Sciences 32, 1975)
 * in a text of our own: corners are copied with the columns, the smoothing
 * runs over all of the arrays and needs no copies, and all steps are leapfrog
 * steps.
 *
 * Sizes: TSTEPS time steps, M x N cells. Size extralarge is that of the
 * paper's table II.
 */

void kernel_swim(int TSTEPS, int M, int N, double dx, double dy, double tdt, double alpha,
                 double u[M + 1][N + 1], double v[M + 1][N + 1], double p[M + 1][N + 1],
                 double unew[M + 1][N + 1], double vnew[M + 1][N + 1], double pnew[M + 1][N + 1],
                 double uold[M + 1][N + 1], double vold[M + 1][N + 1], double pold[M + 1][N + 1],
                 double cu[M + 1][N + 1], double cv[M + 1][N + 1], double z[M + 1][N + 1], double h[M + 1][N + 1])
{
    int t, i, j;
    double fsdx = 4.0 / dx, fsdy = 4.0 / dy;
    double tdts8 = tdt / 8.0, tdtsdx = tdt / dx, tdtsdy = tdt / dy;

#pragma scop
    for (t = 0; t < TSTEPS; t++) {
        for (i = 0; i < M; i++)
            for (j = 0; j < N; j++) {
                cu[i + 1][j] = 0.5 * (p[i + 1][j] + p[i][j]) * u[i + 1][j];
                cv[i][j + 1] = 0.5 * (p[i][j + 1] + p[i][j]) * v[i][j + 1];
                z[i + 1][j + 1] = (fsdx * (v[i + 1][j + 1] - v[i][j + 1]) - fsdy * (u[i + 1][j + 1] - u[i + 1][j]))
                    / (p[i][j] + p[i + 1][j] + p[i + 1][j + 1] + p[i][j + 1]);
                h[i][j] = p[i][j] + 0.25 * (u[i + 1][j] * u[i + 1][j] + u[i][j] * u[i][j]
                                            + v[i][j + 1] * v[i][j + 1] + v[i][j] * v[i][j]);
            }
        for (j = 0; j < N; j++) {
            cu[0][j] = cu[M][j];
            cv[M][j + 1] = cv[0][j + 1];
            z[0][j + 1] = z[M][j + 1];
            h[M][j] = h[0][j];
        }
        for (i = 0; i <= M; i++) {
            cu[i][N] = cu[i][0];
            cv[i][0] = cv[i][N];
            z[i][0] = z[i][N];
            h[i][N] = h[i][0];
        }

        for (i = 0; i < M; i++)
            for (j = 0; j < N; j++) {
                unew[i + 1][j] = uold[i + 1][j]
                    + tdts8 * (z[i + 1][j + 1] + z[i + 1][j]) * (cv[i + 1][j + 1] + cv[i][j + 1] + cv[i][j] + cv[i + 1][j])
                    - tdtsdx * (h[i + 1][j] - h[i][j]);
                vnew[i][j + 1] = vold[i][j + 1]
                    - tdts8 * (z[i + 1][j + 1] + z[i][j + 1]) * (cu[i + 1][j + 1] + cu[i][j + 1] + cu[i][j] + cu[i + 1][j])
                    - tdtsdy * (h[i][j + 1] - h[i][j]);
                pnew[i][j] = pold[i][j] - tdtsdx * (cu[i + 1][j] - cu[i][j]) - tdtsdy * (cv[i][j + 1] - cv[i][j]);
            }
        for (j = 0; j < N; j++) {
            unew[0][j] = unew[M][j];
            vnew[M][j + 1] = vnew[0][j + 1];
            pnew[M][j] = pnew[0][j];
        }
        for (i = 0; i <= M; i++) {
            unew[i][N] = unew[i][0];
            vnew[i][0] = vnew[i][N];
            pnew[i][N] = pnew[i][0];
        }

        for (i = 0; i <= M; i++)
            for (j = 0; j <= N; j++) {
                uold[i][j] = u[i][j] + alpha * (unew[i][j] - 2.0 * u[i][j] + uold[i][j]);
                vold[i][j] = v[i][j] + alpha * (vnew[i][j] - 2.0 * v[i][j] + vold[i][j]);
                pold[i][j] = p[i][j] + alpha * (pnew[i][j] - 2.0 * p[i][j] + pold[i][j]);
                u[i][j] = unew[i][j];
                v[i][j] = vnew[i][j];
                p[i][j] = pnew[i][j];
            }
    }
#pragma endscop
}

static void swim_fill(int M, int N, double a[M + 1][N + 1], double middle, double range, int seed)
{
    for (int i = 0; i <= M; i++)
        for (int j = 0; j <= N; j++)
            a[i][j] = middle + range * (((i == M ? 0 : i) * 37 + (j == N ? 0 : j) * 101 + seed) % 1009 / 1009.0 - 0.5);
}

/* The state is periodic: a mean flow with noise of 2.5 m/s in the velocities
 * and 0.1 percent in p. The arrays that are computed from it hold noise. */
void kernel_swim_init(int TSTEPS, int M, int N, double dx, double dy, double tdt, double alpha,
                      double u[M + 1][N + 1], double v[M + 1][N + 1], double p[M + 1][N + 1],
                      double unew[M + 1][N + 1], double vnew[M + 1][N + 1], double pnew[M + 1][N + 1],
                      double uold[M + 1][N + 1], double vold[M + 1][N + 1], double pold[M + 1][N + 1],
                      double cu[M + 1][N + 1], double cv[M + 1][N + 1], double z[M + 1][N + 1], double h[M + 1][N + 1])
{
    (void)TSTEPS;
    (void)dx;
    (void)dy;
    (void)tdt;
    (void)alpha;

    swim_fill(M, N, u, 10.0, 5.0, 1);
    swim_fill(M, N, v, -5.0, 5.0, 8);
    swim_fill(M, N, p, 50000.0, 100.0, 15);
    swim_fill(M, N, uold, 10.0, 5.0, 1);
    swim_fill(M, N, vold, -5.0, 5.0, 8);
    swim_fill(M, N, pold, 50000.0, 100.0, 15);
    swim_fill(M, N, unew, 0.0, 1.0, 22);
    swim_fill(M, N, vnew, 0.0, 1.0, 29);
    swim_fill(M, N, pnew, 0.0, 1.0, 36);
    swim_fill(M, N, cu, 0.0, 1.0, 43);
    swim_fill(M, N, cv, 0.0, 1.0, 50);
    swim_fill(M, N, z, 0.0, 1.0, 57);
    swim_fill(M, N, h, 0.0, 1.0, 64);
}
