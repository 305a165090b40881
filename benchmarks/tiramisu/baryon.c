/*
 * Building blocks of baryons in lattice quantum chromodynamics: for every time
 * slice the propagators of three quarks are contracted over their colours with the
 * antisymmetric tensor, for all combinations of their spins, and summed over the
 * sites with a phase:
 *
 *     block(t,a,b,c) = sum over x of phase(x) *
 *                      (sum over colours p, q, r of epsilon(p,q,r) *
 *                       up(t,x,a,p) down(t,x,b,q) strange(t,x,c,r))
 *
 * epsilon is 1 for (p,q,r) = (p,p+1,p+2) modulo 3, -1 for (p,p+2,p+1) modulo 3,
 * and otherwise 0.  Real numbers stand for the complex ones.
 *
 * Benchmark Baryon of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-A, a dense tensor
 * contraction after Detmold and Orginos, "Nuclear correlation functions in lattice
 * QCD", Physical Review D 87, 2013. The paper prints no formula; the shape of this
 * contraction and the text are our own.
 *
 * Sizes: TIME slices of SITES sites, SPINS spin components (4 in the theory).
 */

void kernel_baryon(int TIME, int SITES, int SPINS, double block[TIME][SPINS][SPINS][SPINS],
                   double up[TIME][SITES][SPINS][3], double down[TIME][SITES][SPINS][3],
                   double strange[TIME][SITES][SPINS][3], double phase[SITES])
{
    int t, x, a, b, c, p;

#pragma scop
    for (t = 0; t < TIME; t++) {
        for (a = 0; a < SPINS; a++)
            for (b = 0; b < SPINS; b++)
                for (c = 0; c < SPINS; c++)
                    block[t][a][b][c] = 0.0;
        for (x = 0; x < SITES; x++)
            for (a = 0; a < SPINS; a++)
                for (b = 0; b < SPINS; b++)
                    for (c = 0; c < SPINS; c++)
                        for (p = 0; p < 3; p++)
                            block[t][a][b][c] += phase[x] * up[t][x][a][p]
                                * (down[t][x][b][(p + 1) % 3] * strange[t][x][c][(p + 2) % 3]
                                   - down[t][x][b][(p + 2) % 3] * strange[t][x][c][(p + 1) % 3]);
    }
#pragma endscop
}

void kernel_baryon_init(int TIME, int SITES, int SPINS, double block[TIME][SPINS][SPINS][SPINS],
                        double up[TIME][SITES][SPINS][3], double down[TIME][SITES][SPINS][3],
                        double strange[TIME][SITES][SPINS][3], double phase[SITES])
{
    for (int t = 0; t < TIME; t++) {
        for (int a = 0; a < SPINS; a++)
            for (int b = 0; b < SPINS; b++)
                for (int c = 0; c < SPINS; c++)
                    block[t][a][b][c] = (double)((37 * t + 101 * a + 229 * b + 379 * c + 1) % 1009) / 1009.0;
        for (int x = 0; x < SITES; x++)
            for (int a = 0; a < SPINS; a++)
                for (int p = 0; p < 3; p++) {
                    up[t][x][a][p] = (double)((29 * t + 83 * x + 211 * a + 293 * p + 8) % 1009) / 1009.0;
                    down[t][x][a][p] = (double)((71 * t + 19 * x + 197 * a + 487 * p + 15) % 1009) / 1009.0;
                    strange[t][x][a][p] = (double)((23 * t + 61 * x + 173 * a + 331 * p + 22) % 1009) / 1009.0;
                }
    }
    for (int x = 0; x < SITES; x++)
        phase[x] = (double)((41 * x + 29) % 1009) / 1009.0 - 0.5;
}
