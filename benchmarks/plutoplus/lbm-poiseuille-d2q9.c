/*
 * Plane Poiseuille flow, that between two plates driven by a constant force,
 * by the lattice Boltzmann method: 9 velocities in two dimensions, one
 * relaxation rate (BGK), pull form.
 *
 * The populations f_k of a node arrive along the velocities c_k,
 *
 *     f_k(t,y,x) = g_k(t, y - c_ky, x - c_kx)
 *
 * and in the fluid they relax to their equilibrium e_k and are pushed along x:
 *
 *     g_k(t+1,y,x) = f_k - omega (f_k - e_k) + 3 w_k c_kx force
 *     e_k = w_k rho (1 + 3 c_k.u + 9/2 (c_k.u)^2 - 3/2 u.u)
 *     rho = sum of f_k,  rho u = sum of c_k f_k
 *
 * with w = 4/9 at rest, 1/9 along the axes, 1/36 along the diagonals. The
 * plates are the rows y = 0 and y = NY - 1, whose nodes send the populations
 * back to where they came from. Indices are modulo NY and NX: the flow is
 * periodic along the plates, and nothing but the plates' backs meets across
 * the other seam. lattice[t % 2] holds g(t,.,.).
 *
 * The velocities are numbered 0 at rest; 1 to 4 along +x, +y, -x, -y; 5 to 8
 * along (+,+), (-,+), (-,-), (+,-) in (x,y).
 *
 * Poiseuille flow of the evaluation of Pluto+ (Bondhugula, Acharya, Cohen:
 * "The Pluto+ Algorithm", TOPLAS 38(3), 2016, section 5); the method is that
 * of Chen and Doolen (Annual Review of Fluid Mechanics 30, 1998). The text is
 * our own.
 *
 * Sizes: TSTEPS time steps, NY x NX nodes. Size extralarge is that of the
 * paper's table II.
 */

struct channel_node {
    double f[9];
};

/* f relaxed to w rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u), from w rho, c.u and
 * 1 - 3/2 u.u. */
static inline double channel_relaxed(double f, double rate, double weight, double cu, double rest)
{
    return f - rate * (f - weight * (rest + 3.0 * cu + 4.5 * cu * cu));
}

static inline struct channel_node channel_reflected(double f0, double f1, double f2, double f3, double f4,
                                                    double f5, double f6, double f7, double f8)
{
    struct channel_node next = {{f0, f3, f4, f1, f2, f7, f8, f5, f6}};

    return next;
}

static inline struct channel_node channel_collided(double omega, double force,
                                                   double f0, double f1, double f2, double f3, double f4,
                                                   double f5, double f6, double f7, double f8)
{
    struct channel_node next;
    double rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    double ux = (f1 - f3 + f5 - f6 - f7 + f8) / rho;
    double uy = (f2 - f4 + f5 + f6 - f7 - f8) / rho;
    double rest = 1.0 - 1.5 * (ux * ux + uy * uy);
    double push = force / 12.0;

    next.f[0] = channel_relaxed(f0, omega, 4.0 / 9.0 * rho, 0.0, rest);
    next.f[1] = channel_relaxed(f1, omega, 1.0 / 9.0 * rho, ux, rest) + 4.0 * push;
    next.f[2] = channel_relaxed(f2, omega, 1.0 / 9.0 * rho, uy, rest);
    next.f[3] = channel_relaxed(f3, omega, 1.0 / 9.0 * rho, -ux, rest) - 4.0 * push;
    next.f[4] = channel_relaxed(f4, omega, 1.0 / 9.0 * rho, -uy, rest);
    next.f[5] = channel_relaxed(f5, omega, 1.0 / 36.0 * rho, ux + uy, rest) + push;
    next.f[6] = channel_relaxed(f6, omega, 1.0 / 36.0 * rho, uy - ux, rest) - push;
    next.f[7] = channel_relaxed(f7, omega, 1.0 / 36.0 * rho, -ux - uy, rest) - push;
    next.f[8] = channel_relaxed(f8, omega, 1.0 / 36.0 * rho, ux - uy, rest) + push;
    return next;
}

void kernel_lbm_poiseuille_d2q9(int TSTEPS, int NY, int NX, double omega, double force,
                                struct channel_node lattice[2][NY][NX])
{
    int t, y, x;

#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (y = 0; y < NY; y++)
            for (x = 0; x < NX; x++)
                if (y == 0 || y == NY - 1)
                    lattice[(t + 1) % 2][y][x] = channel_reflected(
                        lattice[t % 2][y][x].f[0],
                        lattice[t % 2][y][x == 0 ? NX - 1 : x - 1].f[1],
                        lattice[t % 2][y == 0 ? NY - 1 : y - 1][x].f[2],
                        lattice[t % 2][y][x == NX - 1 ? 0 : x + 1].f[3],
                        lattice[t % 2][y == NY - 1 ? 0 : y + 1][x].f[4],
                        lattice[t % 2][y == 0 ? NY - 1 : y - 1][x == 0 ? NX - 1 : x - 1].f[5],
                        lattice[t % 2][y == 0 ? NY - 1 : y - 1][x == NX - 1 ? 0 : x + 1].f[6],
                        lattice[t % 2][y == NY - 1 ? 0 : y + 1][x == NX - 1 ? 0 : x + 1].f[7],
                        lattice[t % 2][y == NY - 1 ? 0 : y + 1][x == 0 ? NX - 1 : x - 1].f[8]);
                else
                    lattice[(t + 1) % 2][y][x] = channel_collided(omega, force,
                        lattice[t % 2][y][x].f[0],
                        lattice[t % 2][y][x == 0 ? NX - 1 : x - 1].f[1],
                        lattice[t % 2][y - 1][x].f[2],
                        lattice[t % 2][y][x == NX - 1 ? 0 : x + 1].f[3],
                        lattice[t % 2][y + 1][x].f[4],
                        lattice[t % 2][y - 1][x == 0 ? NX - 1 : x - 1].f[5],
                        lattice[t % 2][y - 1][x == NX - 1 ? 0 : x + 1].f[6],
                        lattice[t % 2][y + 1][x == NX - 1 ? 0 : x + 1].f[7],
                        lattice[t % 2][y + 1][x == 0 ? NX - 1 : x - 1].f[8]);
#pragma endscop
}

void kernel_lbm_poiseuille_d2q9_init(int TSTEPS, int NY, int NX, double omega, double force,
                                     struct channel_node lattice[2][NY][NX])
{
    (void)TSTEPS;
    (void)omega;
    (void)force;

    for (int p = 0; p < 2; p++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++)
                for (int k = 0; k < 9; k++)
                    lattice[p][y][x].f[k] = (k == 0 ? 4.0 / 9.0 : k < 5 ? 1.0 / 9.0 : 1.0 / 36.0)
                        * (1.0 + 0.05 * ((503 * p + 37 * y + 101 * x + 211 * k) % 1009) / 1009.0);
}
