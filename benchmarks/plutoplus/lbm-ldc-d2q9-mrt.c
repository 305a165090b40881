/*
 * Flow in a square cavity whose lid moves, by the lattice Boltzmann method: 9
 * velocities in two dimensions, multiple relaxation rates (MRT), pull form.
 *
 * The populations f_k of a node arrive along the velocities c_k,
 *
 *     f_k(t,y,x) = g_k(t, y - c_ky, x - c_kx)
 *
 * and in the fluid their moments m = M f relax, each at its own rate, to their
 * equilibrium:
 *
 *     g(t+1,y,x) = f - M^-1 S (m - meq)
 *
 * The moments, the rows of M, are the density rho, the energy e, its square
 * eps, the momentum j and the flux of energy q in both directions, and the
 * stresses pxx and pxy. S is diagonal: rho and j do not relax, the stresses do
 * at the rate omega, which sets the viscosity, e at 1.1, eps at 1, and q at
 * 1.2. The equilibrium is
 *
 *     e = -2 rho + 3 j.j/rho,  eps = rho - 3 j.j/rho,  q = -j,
 *     pxx = (jx^2 - jy^2)/rho,  pxy = jx jy / rho
 *
 * The rows of M are orthogonal, so that M^-1 is its transpose over the rows'
 * squared lengths 9, 36, 36, 6, 12, 6, 12, 4, 4. The nodes at the edge are
 * walls and send the populations back to where they came from, but the nodes
 * y = N - 1 are the lid and hold the equilibrium of its velocity, rho = 1 and
 * j = (lid,0). Indices are modulo N; nothing but walls meets across the seam.
 * lattice[t % 2] holds g(t,.,.).
 *
 * The velocities are numbered 0 at rest; 1 to 4 along +x, +y, -x, -y; 5 to 8
 * along (+,+), (-,+), (-,-), (+,-) in (x,y).
 *
 * Lid-driven cavity of the evaluation of Pluto+ (Bondhugula, Acharya, Cohen:
 * "The Pluto+ Algorithm", TOPLAS 38(3), 2016, section 5); the moments are
 * those of Lallemand and Luo (Physical Review E 61, 2000) after d'Humieres.
 * The text is our own.
 *
 * Sizes: TSTEPS time steps, N x N nodes. Size extralarge is that of the
 * paper's table II.
 */

struct moments_node {
    double f[9];
};

static inline struct moments_node moments_update(int N, int y, int x, double omega, double lid,
                                                 double f0, double f1, double f2, double f3, double f4,
                                                 double f5, double f6, double f7, double f8)
{
    struct moments_node next = {{f0, f3, f4, f1, f2, f7, f8, f5, f6}};

    if (y == N - 1 || (y > 0 && x > 0 && x < N - 1)) {
        int inside = y < N - 1;
        double axes = f1 + f2 + f3 + f4, diagonals = f5 + f6 + f7 + f8;
        double stepx = f1 - f3, stepy = f2 - f4;
        double slantx = f5 - f6 - f7 + f8, slanty = f5 + f6 - f7 - f8;
        double rho = inside ? f0 + axes + diagonals : 1.0;
        double jx = inside ? stepx + slantx : lid;
        double jy = inside ? stepy + slanty : 0.0;
        double jj = (jx * jx + jy * jy) / rho;
        double de = -4.0 * f0 - axes + 2.0 * diagonals - (-2.0 * rho + 3.0 * jj);
        double deps = 4.0 * f0 - 2.0 * axes + diagonals - (rho - 3.0 * jj);
        double dqx = -2.0 * stepx + slantx + jx;
        double dqy = -2.0 * stepy + slanty + jy;
        double dpxx = f1 - f2 + f3 - f4 - (jx * jx - jy * jy) / rho;
        double dpxy = f5 - f6 + f7 - f8 - jx * jy / rho;
        /* At the lid all moments relax at once, rho and j too. */
        double drho = f0 + axes + diagonals - rho, djx = stepx + slantx - jx, djy = stepy + slanty - jy;
        double a = drho / 9.0;
        double b = (inside ? 1.1 : 1.0) * de / 36.0;
        double c = deps / 36.0;
        double dx = djx / 6.0, dy = djy / 6.0;
        double ex = (inside ? 1.2 : 1.0) * dqx / 12.0, ey = (inside ? 1.2 : 1.0) * dqy / 12.0;
        double g = (inside ? omega : 1.0) * dpxx / 4.0, h = (inside ? omega : 1.0) * dpxy / 4.0;

        next.f[0] = f0 - (a - 4.0 * b + 4.0 * c);
        next.f[1] = f1 - (a - b - 2.0 * c + dx - 2.0 * ex + g);
        next.f[2] = f2 - (a - b - 2.0 * c + dy - 2.0 * ey - g);
        next.f[3] = f3 - (a - b - 2.0 * c - dx + 2.0 * ex + g);
        next.f[4] = f4 - (a - b - 2.0 * c - dy + 2.0 * ey - g);
        next.f[5] = f5 - (a + 2.0 * b + c + dx + ex + dy + ey + h);
        next.f[6] = f6 - (a + 2.0 * b + c - dx - ex + dy + ey - h);
        next.f[7] = f7 - (a + 2.0 * b + c - dx - ex - dy - ey + h);
        next.f[8] = f8 - (a + 2.0 * b + c + dx + ex - dy - ey - h);
    }
    return next;
}

void kernel_lbm_ldc_d2q9_mrt(int TSTEPS, int N, double omega, double lid, struct moments_node lattice[2][N][N])
{
    int t, y, x;

#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (y = 0; y < N; y++)
            for (x = 0; x < N; x++)
                lattice[(t + 1) % 2][y][x] = moments_update(N, y, x, omega, lid,
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

void kernel_lbm_ldc_d2q9_mrt_init(int TSTEPS, int N, double omega, double lid, struct moments_node lattice[2][N][N])
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
