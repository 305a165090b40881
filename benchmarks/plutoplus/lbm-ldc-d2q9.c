/*
 * Flow in a square cavity whose lid moves, by the lattice Boltzmann method: 9
 * velocities in two dimensions, one relaxation rate (BGK), pull form.
 *
 * The populations f_k of a node arrive along the velocities c_k,
 *
 *     f_k(t,y,x) = g_k(t, y - c_ky, x - c_kx)
 *
 * and in the fluid they relax to their equilibrium e_k(rho,u):
 *
 *     g_k(t+1,y,x) = f_k - omega (f_k - e_k)
 *     e_k = w_k rho (1 + 3 c_k.u + 9/2 (c_k.u)^2 - 3/2 u.u)
 *     rho = sum of f_k,  rho u = sum of c_k f_k
 *
 * with w = 4/9 at rest, 1/9 along the axes, 1/36 along the diagonals. The
 * nodes at the edge are walls and send the populations back to where they
 * came from, but the nodes y = N - 1 are the lid and hold the equilibrium of
 * its velocity: g_k = e_k(1, (lid,0)). Indices are modulo N; nothing but walls
 * meets across the seam. lattice[t % 2] holds g(t,.,.).
 *
 * The velocities are numbered 0 at rest; 1 to 4 along +x, +y, -x, -y; 5 to 8
 * along (+,+), (-,+), (-,-), (+,-) in (x,y).
 *
 * Lid-driven cavity of the evaluation of Pluto+ (Bondhugula, Acharya, Cohen:
 * "The Pluto+ Algorithm", TOPLAS 38(3), 2016, section 5); the method is that
 * of Chen and Doolen (Annual Review of Fluid Mechanics 30, 1998). The text is
 * our own.
 *
 * Sizes: TSTEPS time steps, N x N nodes. Size extralarge is that of the
 * paper's table II.
 */

struct cavity_node {
    double f[9];
};

/* f relaxed to w rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u), from w rho, c.u and
 * 1 - 3/2 u.u. */
static inline double cavity_relaxed(double f, double rate, double weight, double cu, double rest)
{
    return f - rate * (f - weight * (rest + 3.0 * cu + 4.5 * cu * cu));
}

static inline struct cavity_node cavity_update(int N, int y, int x, double omega, double lid,
                                               double f0, double f1, double f2, double f3, double f4,
                                               double f5, double f6, double f7, double f8)
{
    struct cavity_node next = {{f0, f3, f4, f1, f2, f7, f8, f5, f6}};

    if (y == N - 1 || (y > 0 && x > 0 && x < N - 1)) {
        int inside = y < N - 1;
        double rate = inside ? omega : 1.0;
        double rho = inside ? f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8 : 1.0;
        double ux = inside ? (f1 - f3 + f5 - f6 - f7 + f8) / rho : lid;
        double uy = inside ? (f2 - f4 + f5 + f6 - f7 - f8) / rho : 0.0;
        double rest = 1.0 - 1.5 * (ux * ux + uy * uy);

        next.f[0] = cavity_relaxed(f0, rate, 4.0 / 9.0 * rho, 0.0, rest);
        next.f[1] = cavity_relaxed(f1, rate, 1.0 / 9.0 * rho, ux, rest);
        next.f[2] = cavity_relaxed(f2, rate, 1.0 / 9.0 * rho, uy, rest);
        next.f[3] = cavity_relaxed(f3, rate, 1.0 / 9.0 * rho, -ux, rest);
        next.f[4] = cavity_relaxed(f4, rate, 1.0 / 9.0 * rho, -uy, rest);
        next.f[5] = cavity_relaxed(f5, rate, 1.0 / 36.0 * rho, ux + uy, rest);
        next.f[6] = cavity_relaxed(f6, rate, 1.0 / 36.0 * rho, uy - ux, rest);
        next.f[7] = cavity_relaxed(f7, rate, 1.0 / 36.0 * rho, -ux - uy, rest);
        next.f[8] = cavity_relaxed(f8, rate, 1.0 / 36.0 * rho, ux - uy, rest);
    }
    return next;
}

void kernel_lbm_ldc_d2q9(int TSTEPS, int N, double omega, double lid, struct cavity_node lattice[2][N][N])
{
    int t, y, x;

#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (y = 0; y < N; y++)
            for (x = 0; x < N; x++)
                lattice[(t + 1) % 2][y][x] = cavity_update(N, y, x, omega, lid,
                    lattice[t % 2][y][x].f[0],
                    lattice[t % 2][y][x == 0 ? N - 1 : x - 1].f[1],
                    lattice[t % 2][y == 0 ? N - 1 : y - 1][x].f[2],
                    lattice[t % 2][y][x == N - 1 ? 0 : x + 1].f[3],
                    lattice[t % 2][y == N - 1 ? 0 : y + 1][x].f[4],
                    lattice[t % 2][y == 0 ? N - 1 : y - 1][x == 0 ? N - 1 : x - 1].f[5],
                    lattice[t % 2][y == 0 ? N - 1 : y - 1][x == N - 1 ? 0 : x + 1].f[6],
                    lattice[t % 2][y == N - 1 ? 0 : y + 1][x == N - 1 ? 0 : x + 1].f[7],
                    lattice[t % 2][y == N - 1 ? 0 : y + 1][x == 0 ? N - 1 : x - 1].f[8]);
#pragma endscop
}

void kernel_lbm_ldc_d2q9_init(int TSTEPS, int N, double omega, double lid, struct cavity_node lattice[2][N][N])
{
    (void)TSTEPS;
    (void)omega;
    (void)lid;

    for (int p = 0; p < 2; p++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                for (int k = 0; k < 9; k++)
                    lattice[p][y][x].f[k] = (k == 0 ? 4.0 / 9.0 : k < 5 ? 1.0 / 9.0 : 1.0 / 36.0)
                        * (1.0 + 0.05 * ((503 * p + 37 * y + 101 * x + 211 * k) % 1009) / 1009.0);
}
