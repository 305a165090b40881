package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scatters are programs that update elements which data decide, with the sizes of a run on several threads and what the recipe says.
var scatters = []struct{ name, sizes, clause, source string }{
	{"histogram", "n=300,m=301", "reduction(+:h)", `
void histogram(int n, int m, unsigned char image[n][m], int h[256])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            h[image[i][j]]++;
#pragma endscop
}
`},
	{"symmetric", "n=3000,nonzeros=9000", "reduction(+:y)", `
void symmetric_init(int n, int nonzeros, int first[n + 1], int column[nonzeros], double a[nonzeros], double x[n], double y[n])
{
    for (int i = 0; i <= n; i++)
        first[i] = i * (nonzeros / (n + 1));
    for (int k = 0; k < nonzeros; k++) {
        column[k] = 37L * k % n;
        a[k] = 1.0 / (k + 1);
    }
    for (int i = 0; i < n; i++) {
        x[i] = i % 17;
        y[i] = 1;
    }
}
void symmetric(int n, int nonzeros, int first[n + 1], int column[nonzeros], double a[nonzeros], double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++) {
            y[i] += a[k] * x[column[k]];
            y[column[k]] += a[k] * x[i];
        }
#pragma endscop
}
`},
	{"deposit", "particles=20000,nx=40,ny=41", "reduction(+:rho)", `
void deposit_init(int particles, int nx, int ny, double x[particles], double y[particles], double q[particles], double rho[nx][ny])
{
    for (int p = 0; p < particles; p++) {
        x[p] = 31 * p % (8 * (nx - 1)) / 8.0;
        y[p] = 17 * p % (8 * (ny - 1)) / 8.0;
        q[p] = p % 5 - 2;
    }
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            rho[i][j] = i + j;
}
void deposit(int particles, int nx, int ny, double x[particles], double y[particles], double q[particles], double rho[nx][ny])
{
#pragma scop
    for (int p = 0; p < particles; p++) {
        int i = (int) x[p], j = (int) y[p];
        double u = x[p] - i, v = y[p] - j;
        rho[i][j] += q[p] * (1 - u) * (1 - v);
        rho[i + 1][j] += q[p] * u * (1 - v);
        rho[i][j + 1] += q[p] * (1 - u) * v;
        rho[i + 1][j + 1] += q[p] * u * v;
    }
#pragma endscop
}
`},
	{"forces", "n=600", "reduction(+:f)", `
void forces(int n, double x[n], double f[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d = x[i] - x[j], w = d / (d * d + 0.01);
            f[i] += w;
            f[j] -= w;
        }
#pragma endscop
}
`},
	{"read_elsewhere", "n=20000", "", `
void read_elsewhere(int n, int index[n], double h[256], double seen[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        h[index[i] & 255] += 1;
        seen[i] = h[3];
    }
#pragma endscop
}
`},
}

// TestScatters checks that updates of elements which data decide run on several threads where another order is allowed, and compute the same on one to four.
func TestScatters(t *testing.T) {
	t.Parallel()
	for _, s := range scatters {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			file := s.name + ".c"
			if err := os.WriteFile(filepath.Join(folder, file), []byte(s.source), 0o600); err != nil {
				t.Fatal(err)
			}
			c, stdout, stderr := tuneCommand(folder, "transform", "--reassociate", file)
			if err := c.Run(); err != nil {
				t.Fatal(err, stderr)
			}
			isParallel := strings.Contains(stdout.String(), "omp parallel")
			if isParallel != (s.clause != "") || !strings.Contains(stdout.String(), s.clause) {
				t.Errorf("%q is not what runs in parallel in\n%s", s.clause, stdout)
			}
			for _, threads := range []string{"1", "2", "4"} {
				c, stdout, stderr := tuneCommand(folder, "check", "--reassociate", file, "--partition", "smart", "--param", s.sizes)
				c.Env = append(c.Env, "OMP_NUM_THREADS="+threads)
				if err := c.Run(); err != nil {
					t.Errorf("%s threads: %v: %s%s", threads, err, stdout, stderr)
				}
			}
		})
	}
}
