/*
 * Flow in a cube whose lid moves, by the lattice Boltzmann method: 27
 * velocities in three dimensions, one relaxation rate (BGK), pull form.
 *
 * The populations f_k of a node arrive along the velocities c_k,
 *
 *     f_k(t,z,y,x) = g_k(t, z - c_kz, y - c_ky, x - c_kx)
 *
 * and in the fluid they relax to their equilibrium e_k(rho,u):
 *
 *     g_k(t+1,z,y,x) = f_k - omega (f_k - e_k)
 *     e_k = w_k rho (1 + 3 c_k.u + 9/2 (c_k.u)^2 - 3/2 u.u)
 *     rho = sum of f_k,  rho u = sum of c_k f_k
 *
 * with w = 8/27 at rest, 2/27 along the axes, 1/54 along the diagonals of the
 * faces, 1/216 along those of the cube. The nodes at the faces are walls and
 * send the populations back to where they came from, but the nodes z = N - 1
 * are the lid and hold the equilibrium of its velocity: g_k = e_k(1, (lid,0,0)).
 * Indices are modulo N; nothing but walls meets across the seams.
 * lattice[t % 2] holds g(t,.,.,.).
 *
 * Velocity k is c = (k/9 - 1, k/3%3 - 1, k%3 - 1) in (z,y,x), so that 13 is at
 * rest and 26 - k opposite to k.
 *
 * Lid-driven cavity of the evaluation of Pluto+ (Bondhugula, Acharya, Cohen:
 * "The Pluto+ Algorithm", TOPLAS 38(3), 2016, section 5); the method is that
 * of Chen and Doolen (Annual Review of Fluid Mechanics 30, 1998). The text is
 * our own.
 *
 * Sizes: TSTEPS time steps, N x N x N nodes. Size extralarge is that of the
 * paper's table II.
 */

struct cube_node {
    double f[27];
};

/* f relaxed to w rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u), from w rho, c.u and
 * 1 - 3/2 u.u. */
static inline double cube_relaxed(double f, double rate, double weight, double cu, double rest)
{
    return f - rate * (f - weight * (rest + 3.0 * cu + 4.5 * cu * cu));
}

static inline struct cube_node cube_update(int N, int z, int y, int x, double omega, double lid,
                                           double f0, double f1, double f2, double f3, double f4, double f5, double f6, double f7, double f8,
                                           double f9, double f10, double f11, double f12, double f13, double f14, double f15, double f16, double f17,
                                           double f18, double f19, double f20, double f21, double f22, double f23, double f24, double f25, double f26)
{
    struct cube_node next = {{f26, f25, f24, f23, f22, f21, f20, f19, f18,
                              f17, f16, f15, f14, f13, f12, f11, f10, f9,
                              f8, f7, f6, f5, f4, f3, f2, f1, f0}};

    if (z == N - 1 || (z > 0 && y > 0 && y < N - 1 && x > 0 && x < N - 1)) {
        int inside = z < N - 1;
        double rate = inside ? omega : 1.0;
        double row0 = f0 + f1 + f2;
        double row1 = f3 + f4 + f5;
        double row2 = f6 + f7 + f8;
        double row3 = f9 + f10 + f11;
        double row4 = f12 + f13 + f14;
        double row5 = f15 + f16 + f17;
        double row6 = f18 + f19 + f20;
        double row7 = f21 + f22 + f23;
        double row8 = f24 + f25 + f26;
        double mass = row0 + row1 + row2 + row3 + row4 + row5 + row6 + row7 + row8;
        double rho = inside ? mass : 1.0;
        double jx = f2 - f0 + f5 - f3 + f8 - f6 + f11 - f9 + f14 - f12 + f17 - f15 + f20 - f18 + f23 - f21 + f26 - f24;
        double jy = row2 - row0 + row5 - row3 + row8 - row6;
        double jz = row6 + row7 + row8 - row0 - row1 - row2;
        double ux = inside ? jx / rho : lid;
        double uy = inside ? jy / rho : 0.0;
        double uz = inside ? jz / rho : 0.0;
        double rest = 1.0 - 1.5 * (ux * ux + uy * uy + uz * uz);

        next.f[0] = cube_relaxed(f0, rate, 1.0 / 216.0 * rho, -ux - uy - uz, rest);
        next.f[1] = cube_relaxed(f1, rate, 1.0 / 54.0 * rho, -uy - uz, rest);
        next.f[2] = cube_relaxed(f2, rate, 1.0 / 216.0 * rho, ux - uy - uz, rest);
        next.f[3] = cube_relaxed(f3, rate, 1.0 / 54.0 * rho, -ux - uz, rest);
        next.f[4] = cube_relaxed(f4, rate, 2.0 / 27.0 * rho, -uz, rest);
        next.f[5] = cube_relaxed(f5, rate, 1.0 / 54.0 * rho, ux - uz, rest);
        next.f[6] = cube_relaxed(f6, rate, 1.0 / 216.0 * rho, -ux + uy - uz, rest);
        next.f[7] = cube_relaxed(f7, rate, 1.0 / 54.0 * rho, uy - uz, rest);
        next.f[8] = cube_relaxed(f8, rate, 1.0 / 216.0 * rho, ux + uy - uz, rest);
        next.f[9] = cube_relaxed(f9, rate, 1.0 / 54.0 * rho, -ux - uy, rest);
        next.f[10] = cube_relaxed(f10, rate, 2.0 / 27.0 * rho, -uy, rest);
        next.f[11] = cube_relaxed(f11, rate, 1.0 / 54.0 * rho, ux - uy, rest);
        next.f[12] = cube_relaxed(f12, rate, 2.0 / 27.0 * rho, -ux, rest);
        next.f[13] = cube_relaxed(f13, rate, 8.0 / 27.0 * rho, 0.0, rest);
        next.f[14] = cube_relaxed(f14, rate, 2.0 / 27.0 * rho, ux, rest);
        next.f[15] = cube_relaxed(f15, rate, 1.0 / 54.0 * rho, -ux + uy, rest);
        next.f[16] = cube_relaxed(f16, rate, 2.0 / 27.0 * rho, uy, rest);
        next.f[17] = cube_relaxed(f17, rate, 1.0 / 54.0 * rho, ux + uy, rest);
        next.f[18] = cube_relaxed(f18, rate, 1.0 / 216.0 * rho, -ux - uy + uz, rest);
        next.f[19] = cube_relaxed(f19, rate, 1.0 / 54.0 * rho, -uy + uz, rest);
        next.f[20] = cube_relaxed(f20, rate, 1.0 / 216.0 * rho, ux - uy + uz, rest);
        next.f[21] = cube_relaxed(f21, rate, 1.0 / 54.0 * rho, -ux + uz, rest);
        next.f[22] = cube_relaxed(f22, rate, 2.0 / 27.0 * rho, uz, rest);
        next.f[23] = cube_relaxed(f23, rate, 1.0 / 54.0 * rho, ux + uz, rest);
        next.f[24] = cube_relaxed(f24, rate, 1.0 / 216.0 * rho, -ux + uy + uz, rest);
        next.f[25] = cube_relaxed(f25, rate, 1.0 / 54.0 * rho, uy + uz, rest);
        next.f[26] = cube_relaxed(f26, rate, 1.0 / 216.0 * rho, ux + uy + uz, rest);
    }
    return next;
}

void kernel_lbm_ldc_d3q27(int TSTEPS, int N, double omega, double lid, struct cube_node lattice[2][N][N][N])
{
    int t, z, y, x;

#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (z = 0; z < N; z++)
            for (y = 0; y < N; y++)
                for (x = 0; x < N; x++)
                    lattice[(t + 1) % 2][z][y][x] = cube_update(N, z, y, x, omega, lid,
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y == N - 1 ? 0 : y + 1][x == N - 1 ? 0 : x + 1].f[0],
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y == N - 1 ? 0 : y + 1][x].f[1],
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y == N - 1 ? 0 : y + 1][x == 0 ? N - 1 : x - 1].f[2],
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y][x == N - 1 ? 0 : x + 1].f[3],
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y][x].f[4],
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y][x == 0 ? N - 1 : x - 1].f[5],
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y == 0 ? N - 1 : y - 1][x == N - 1 ? 0 : x + 1].f[6],
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y == 0 ? N - 1 : y - 1][x].f[7],
                        lattice[t % 2][z == N - 1 ? 0 : z + 1][y == 0 ? N - 1 : y - 1][x == 0 ? N - 1 : x - 1].f[8],
                        lattice[t % 2][z][y == N - 1 ? 0 : y + 1][x == N - 1 ? 0 : x + 1].f[9],
                        lattice[t % 2][z][y == N - 1 ? 0 : y + 1][x].f[10],
                        lattice[t % 2][z][y == N - 1 ? 0 : y + 1][x == 0 ? N - 1 : x - 1].f[11],
                        lattice[t % 2][z][y][x == N - 1 ? 0 : x + 1].f[12],
                        lattice[t % 2][z][y][x].f[13],
                        lattice[t % 2][z][y][x == 0 ? N - 1 : x - 1].f[14],
                        lattice[t % 2][z][y == 0 ? N - 1 : y - 1][x == N - 1 ? 0 : x + 1].f[15],
                        lattice[t % 2][z][y == 0 ? N - 1 : y - 1][x].f[16],
                        lattice[t % 2][z][y == 0 ? N - 1 : y - 1][x == 0 ? N - 1 : x - 1].f[17],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y == N - 1 ? 0 : y + 1][x == N - 1 ? 0 : x + 1].f[18],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y == N - 1 ? 0 : y + 1][x].f[19],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y == N - 1 ? 0 : y + 1][x == 0 ? N - 1 : x - 1].f[20],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y][x == N - 1 ? 0 : x + 1].f[21],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y][x].f[22],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y][x == 0 ? N - 1 : x - 1].f[23],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y == 0 ? N - 1 : y - 1][x == N - 1 ? 0 : x + 1].f[24],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y == 0 ? N - 1 : y - 1][x].f[25],
                        lattice[t % 2][z == 0 ? N - 1 : z - 1][y == 0 ? N - 1 : y - 1][x == 0 ? N - 1 : x - 1].f[26]);
#pragma endscop
}

void kernel_lbm_ldc_d3q27_init(int TSTEPS, int N, double omega, double lid, struct cube_node lattice[2][N][N][N])
{
    (void)TSTEPS;
    (void)omega;
    (void)lid;

    for (int p = 0; p < 2; p++)
        for (int z = 0; z < N; z++)
            for (int y = 0; y < N; y++)
                for (int x = 0; x < N; x++)
                    for (int k = 0; k < 27; k++) {
                        int moves = (k % 3 != 1) + (k / 3 % 3 != 1) + (k / 9 != 1);

                        lattice[p][z][y][x].f[k] = 64.0 / (1 << 2 * moves) / 216.0
                            * (1.0 + 0.05 * ((503 * p + 11 * z + 37 * y + 101 * x + 211 * k) % 1009) / 1009.0);
                    }
}
