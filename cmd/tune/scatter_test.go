package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"polytune/internal/kerneltest"
	"slices"
	"strings"
	"testing"
)

// scatter is a program that updates elements which data decide, with the sizes of a run and
// something that the code of its threads has, "" where there are none.
type scatter struct{ name, sizes, clause, source string }

// check checks that code for a setting of "sums" runs on several threads if it is to, and computes
// the same on one to four.
func (s scatter) check(t *testing.T, sums, parallel string) {
	t.Helper()
	folder := t.TempDir()
	file := s.name + ".c"
	if err := os.WriteFile(filepath.Join(folder, file), []byte(s.source), 0o600); err != nil {
		t.Fatal(err)
	}
	c, stdout, stderr := tuneCommand(folder, "transform", "--reassociate", file, "--point", "sums="+sums)
	if err := c.Run(); err != nil {
		t.Fatal(err, stderr)
	}
	isParallel := strings.Contains(stdout.String(), parallel)
	if isParallel != (s.clause != "") || !strings.Contains(stdout.String(), s.clause) {
		t.Errorf("%q is not what runs in parallel in\n%s", s.clause, stdout)
	}
	for _, threads := range []string{"1", "2", "4"} {
		c, stdout, stderr := tuneCommand(folder, "check", "--reassociate", file, "--partition", "smart", "--point", "sums="+sums, "--param", s.sizes)
		c.Env = append(c.Env, "OMP_NUM_THREADS="+threads)
		if err := c.Run(); err != nil {
			t.Errorf("%s threads: %v: %s%s", threads, err, stdout, stderr)
		}
	}
}

// scatters are programs that update elements which data decide, with the sizes of a run on several
// threads and what the recipe says.
var scatters = []scatter{
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

// moreScatters are such programs in which copies are known by what the file says, statements update
// several arrays, or nothing but atomic operations is possible.
var moreScatters = []scatter{
	{"row_sums", "n=3000,nonzeros=9000", "reduction(+:y)", `
void row_sums_init(int n, int nonzeros, int first[n + 1], int column[nonzeros], double a[nonzeros], double x[n], double y[n])
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
void row_sums(int n, int nonzeros, int first[n + 1], int column[nonzeros], double a[nonzeros], double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = first[i]; k < first[i + 1]; k++) {
            s += a[k] * x[column[k]];
            y[column[k]] += a[k] * x[i];
        }
        y[i] += s;
    }
#pragma endscop
}
`},
	{"neighbours", "n=2000,pairs=8000", "reduction(+:fx) reduction(+:fy)", `
void neighbours_init(int n, int pairs, int first[n + 1], int list[pairs], double x[n], double y[n], double fx[n], double fy[n])
{
    for (int i = 0; i <= n; i++)
        first[i] = i * (pairs / (n + 1));
    for (int k = 0; k < pairs; k++)
        list[k] = 41L * k % n;
    for (int i = 0; i < n; i++) {
        x[i] = i % 17;
        y[i] = i % 23;
        fx[i] = fy[i] = 0;
    }
}
void neighbours(int n, int pairs, int first[n + 1], int list[pairs], double x[n], double y[n], double fx[n], double fy[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++) {
            int j = list[k];
            double dx = x[i] - x[j], dy = y[i] - y[j], w = 1 / (dx * dx + dy * dy + 0.5);
            fx[i] += w * dx;
            fy[i] += w * dy;
            fx[j] -= w * dx;
            fy[j] -= w * dy;
        }
#pragma endscop
}
`},
	{"allocated", "n=20000,m=300", "(long) (m)", `
#include <stdlib.h>
void allocated(int n, int m, unsigned char index[n], double v[n], double out[m])
{
    double *f = calloc(m + 256, sizeof(double));
    double *g = calloc(m, sizeof *g);
#pragma scop
    for (int i = 0; i < n; i++)
        g[index[i] % m] += v[i];
#pragma endscop
    for (int j = 0; j < m; j++)
        out[j] = f[j] + g[j];
    free(f);
    free(g);
}
`},
	{"read_in_one", "n=3000,nonzeros=9000", "", `
void read_in_one_init(int n, int nonzeros, int first[n + 1], int column[nonzeros], double x[n], double y[n])
{
    for (int i = 0; i <= n; i++)
        first[i] = i * (nonzeros / (n + 1));
    for (int k = 0; k < nonzeros; k++)
        column[k] = 37L * k % n;
    for (int i = 0; i < n; i++)
        x[i] = y[i] = i % 5;
}
void read_in_one(int n, int nonzeros, int first[n + 1], int column[nonzeros], double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++) {
            y[column[k]] += 1;
            x[column[k]] += y[i];
        }
#pragma endscop
}
`},
}

// TestMoreScatters is TestScatters for these.
func TestMoreScatters(t *testing.T) {
	t.Parallel()
	for _, s := range moreScatters {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.check(t, "copies", "omp parallel")
		})
	}
}

// members are programs in which data decide of which struct a member is updated.
var members = []scatter{
	{"bins", "n=20000", "s->h[", `
struct bins { int k; double h[64]; };
void bins(int n, unsigned char index[n], struct bins s[1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        s->h[index[i] & 63] += 1;
#pragma endscop
}
`},
	{"particles", "n=20000", "p[index[c0]].f += ", `
struct particle { double x, f; };
void particles(int n, unsigned char index[n], double v[n], struct particle p[256])
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[index[i]].f += v[i] * p[index[i]].x;
#pragma endscop
}
`},
}

// TestAtomics checks that threads update elements by atomic operations where a setting says so, of
// members of structs as well, and not where something else reads the array. The short test has the
// members and the first of each kind.
func TestAtomics(t *testing.T) {
	t.Parallel()
	list := slices.Concat(scatters[:4], moreScatters, members)
	if !kerneltest.Long() {
		list = slices.Concat(scatters[:1], moreScatters[:1], members)
	}
	for _, s := range list {
		if s.name == "forces" {
			continue // its elements are those of loops
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(s.clause, "reduction") || strings.Contains(s.clause, "long") {
				s.clause = "omp atomic"
			}
			s.check(t, "atomics", "omp parallel")
		})
	}
}

// TestUnknownExtents checks that those who allow another order are told what to write where nothing
// says how long a copy is, and that the source's clause is enough.
func TestUnknownExtents(t *testing.T) {
	t.Parallel()
	const function = "void scatter(int n, int m, const int *restrict index, const double *restrict v, double *restrict f)\n{\n#pragma scop\n%s" +
		"    for (int i = 0; i < n; i++)\n        f[index[i]] += v[i];\n#pragma endscop\n}\n"
	for pragma, want := range map[string][2]string{
		"": {"", "write #pragma omp parallel for reduction(+:f[:n]) in front of the loop"},
		"#pragma omp parallel for reduction(+ : f[:m])\n":        {"= (long) (m);", ""},
		"#pragma omp parallel for reduction(+ : f[4 : m - 4])\n": {"= (long) ((4) + (m - 4));", ""},
		"#pragma omp parallel for reduction(+ : f[:index[0]])\n": {"", "nothing says how many it has"},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "scatter.c"), fmt.Appendf(nil, function, pragma), 0o600); err != nil {
			t.Fatal(err)
		}
		c, stdout, stderr := tuneCommand(folder, "transform", "--reassociate", "scatter.c")
		if err := c.Run(); err != nil {
			t.Fatal(err, stderr)
		}
		if strings.Contains(stdout.String(), "tune_own_f") != (want[0] != "") || !strings.Contains(stdout.String(), want[0]) {
			t.Errorf("%q: no %q in\n%s", pragma, want[0], stdout)
		}
		if strings.Contains(stderr.String(), "warning") != (want[1] != "") || !strings.Contains(stderr.String(), want[1]) {
			t.Errorf("%q: no %q in\n%s", pragma, want[1], stderr)
		}
	}
}

// TestScatters checks that updates of elements which data decide run on several threads where
// another order is allowed, and compute the same on one to four.
func TestScatters(t *testing.T) {
	t.Parallel()
	for _, s := range scatters {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.check(t, "copies", "omp parallel")
		})
	}
}

// wholeSums adds up numbers that overflow in other orders than that of the source.
const wholeSums = `
#include <limits.h>
#include <stdio.h>
void sums(int n, int m, const int place[n], const int value[n], int sum[m], short count[m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        sum[place[i]] += value[i];
        count[place[i]]++;
    }
#pragma endscop
}
enum { N = 9 * (4 * 5000 + 1), M = 7 }; // the second of three threads begins with two negative numbers
static int place[N], value[N], sum[M];
static short count[M];
int main(void)
{
    for (int i = 0; i < N; i++) {
        place[i] = i % 3;
        value[i] = (i / 3 + 1) / 2 % 2 ? i - INT_MAX : INT_MAX - i;
    }
    sums(N, M, place, value, sum, count);
    for (int k = 0; k < M; k++)
        printf("%d %d\n", sum[k], count[k]);
}
`

// Sums of integers need no permission, and no sum overflows in another order.
func TestWholeSums(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "sums.c"), []byte(wholeSums), 0o600); err != nil {
		t.Fatal(err)
	}
	c, stdout, stderr := tuneCommand(folder, "transform", "sums.c", "-o", "fast.c")
	if err := c.Run(); err != nil {
		t.Fatal(err, stdout, stderr)
	}
	code, err := os.ReadFile(filepath.Join(folder, "fast.c"))
	if err != nil || !strings.Contains(string(code), "reduction(+:sum) reduction(+:count)") {
		t.Fatalf("%v: no sums of threads in\n%s", err, code)
	}
	var results []string
	for _, source := range []string{"sums.c", "fast.c"} {
		arguments := []string{"-O1", "-fopenmp", "-fsanitize=undefined", "-fno-sanitize-recover", source, "-o", source + ".exe"}
		build := exec.Command("gcc", arguments...)
		build.Dir = folder
		if output, err := build.CombinedOutput(); err != nil {
			t.Fatalf("gcc %v: %v\n%s", arguments, err, output)
		}
		run := exec.Command("./" + source + ".exe")
		run.Dir, run.Env = folder, append(os.Environ(), "OMP_NUM_THREADS=3")
		output, err := run.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", source, err, output)
		}
		results = append(results, string(output))
	}
	if results[0] != results[1] {
		t.Errorf("sums are %s\nnot %s", results[1], results[0])
	}
}
