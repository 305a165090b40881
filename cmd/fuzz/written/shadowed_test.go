package written

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/internal/passed"
)

// shadowing is a function in which one name means several variables, with the refusal of one that
// is not accepted.
type shadowing struct{ name, front, body, refusal string }

// shadowedNumbers are those about iterators, sizes and other integers.
var shadowedNumbers = []shadowing{
	{name: "a loop hides a variable that is read behind it", body: `
	int l = n;
#pragma scop
	for (unsigned long l = 0; l < m + 2; l += 2)
		a[l] = l;
	b[0] += a[l + 4];
	for (l = 0; l < n; l++) {
	}
#pragma endscop`},
	{name: "a value that names what a loop hides", body: `
	int l = n, t;
#pragma scop
	t = l + 1;
	for (int l = 0; l < m; l++)
		a[t] += b[l];
	for (l = 0; l < n; l++)
		b[l] += 1;
#pragma endscop`},
	{name: "a value that names what a statement declares", body: `
	int l = n % 7;
#pragma scop
	int t = l + 1;
	for (int i = 0; i < m; i++) {
		int k = 1;
		while (k < n) {
			int l = 3;
			a[t] += l + i;
			k += 1 + (c[k] & 1);
		}
	}
	for (l = 0; l < n; l++)
		b[l] += 1;
#pragma endscop`},
	{name: "a value that names an iterator which a macro names, too", front: "#define CELL a[i]", body: `
	int i = m;
#pragma scop
	int t = i;
	for (int i = 0; i < n; i++)
		CELL = b[t] + t;
	for (i = 0; i < n; i++)
		b[i] += 1;
#pragma endscop`},
	{name: "a size in front of the region of what is hidden there", body: `
	int size = 2 * n;
	{
		int n = 3;
#pragma scop
		for (int i = 0; i < size; i++)
			a[i] = n;
#pragma endscop
	}`},
	{name: "a product of sizes that are hidden in front of the region", body: `
	int size = m * n;
	{
		int n = 3;
#pragma scop
		for (int i = 0; i < size; i++)
			a[i] = b[i] + n;
#pragma endscop
	}`},
	{name: "a size of what the region hides by a variable of its own", body: `
	int size = 2 * m;
#pragma scop
	for (int i = 0; i < size; i++) {
		double m = b[i];
		a[i] = m * m + a[i];
	}
#pragma endscop`},
	{name: "a size of what an iterator hides", body: `
	int size = 2 * m;
#pragma scop
	for (int m = 0; m < size; m++)
		a[m] += b[m + 1];
	for (int i = 0; i < size - 1; i++)
		for (int m = 0; m < n; m++)
			b[m] += a[i];
#pragma endscop`},
	{name: "a size of what a statement declares", body: `
	int size = 2 * m;
#pragma scop
	for (int i = 0; i < n; i++) {
		int k = 1;
		while (k < n) {
			int m = 3;
			a[size] += m;
			k += 1 + (c[k] & 1);
		}
	}
#pragma endscop`},
	{name: "an extent that an iterator hides", body: `
	double (*A)[m] = (void *)a;
#pragma scop
	for (int m = 0; m < n; m++)
		A[m][0] += b[m];
	for (int i = 0; i < n; i++)
		for (int m = 0; m < 1; m++)
			A[i][m] += 2;
#pragma endscop`},
	{name: "an extent that is hidden in front of the region", body: `
	double (*A)[m] = (void *)a;
	{
		int m = 1;
#pragma scop
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				A[i][j] += 2;
#pragma endscop
	}`},
	{name: "rows whose length an iterator hides", body: `
#pragma scop
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			a[i * m + j] += 1;
	for (int i = 0; i < n; i++)
		for (int m = 0; m < 2; m++)
			b[m] += a[i];
#pragma endscop`},
	{name: "an iterator with other uses that a loop inside hides", body: `
	int j;
#pragma scop
	for (j = 0; j < n; j++) {
		for (int j = 0; j < m; j++)
			b[j] += 1;
		a[j] = 2;
	}
	a[j] += 5;
	for (int i = 0; i < n; i++) {
		j = c[i] & 7;
		a[j] += i;
	}
#pragma endscop`},
	{name: "an iterator with other uses in a loop over one of its name", body: `
	int j = 2;
#pragma scop
	a[j] += 5;
	for (int j = 0; j < n; j++)
		a[j] += b[j];
	for (j = 0; j < m; j++)
		b[j] += 1;
	c[0] = j;
	{
		int j = c[1] & 7;
		a[j] += 1;
	}
	j = c[2] & 7;
	a[j] += 1;
#pragma endscop`},
	{name: "several variables that a body hides", body: `
#pragma scop
	for (int i = 0, j = n - 1; i < j; i++, j--) {
		double t = a[i];
		a[i] = a[j];
		a[j] = t;
		{
			int n = 2, i = n + j;
			b[i] += n;
		}
	}
#pragma endscop`},
	{name: "a variable of a loop that begins with what another one has left", body: `
	int i, j = 3;
#pragma scop
	for (int t = 0; t < m; t++)
		for (i = j & 3, j = 0; i < n; i++, j++)
			a[i] += b[j];
#pragma endscop`},
	{name: "a declared variable of a loop that begins with what its second one hides", body: `
	int j = m + 3;
#pragma scop
	for (int t = 0; t < m; t++)
		for (int i = j & 3, j = 0; i < n; i++, j++)
			a[i] += b[j];
#pragma endscop`},
	{name: "a second variable of a loop that begins with the first one", body: `
	int i = m + 3, j;
#pragma scop
	b[i] += 1;
	for (int t = 0; t < m; t++)
		for (i = 2, j = i + 1; i < n; i++)
			a[i] += b[j];
	b[i] += 2;
#pragma endscop`},
	{name: "a declared second variable of a loop that begins with the first one", body: `
	int i = m + 3;
#pragma scop
	for (int t = 0; t < m; t++)
		for (int i = 2, j = i + 1; i < n; i++)
			a[i] += b[j];
	b[i] += 2;
#pragma endscop`},
	{name: "a parameter that is named as elements which data choose", body: `
	int any0 = m;
#pragma scop
	for (int i = 0; i < any0; i++)
		a[c[i] & 15] += b[any0];
	for (int any1 = 0; any1 < n; any1++)
		b[c[any1] & 7] += a[any1 + any0];
#pragma endscop`},
	{name: "an extent that a variable of the region hides", body: `
	double (*A)[m] = (void *)a;
#pragma scop
	for (int i = 0; i < n; i++) {
		double m = A[i][0];
		A[i][0] = m * 2 + b[i];
		b[i] = A[i][0] - m;
	}
#pragma endscop`},
}

var update = flag.Bool("update", false, "write the table of programs that are right anew")

// right are the programs, each with what is made of it, that print the same.
var right *passed.Table

func TestMain(m *testing.M) {
	begin := func(tables []*passed.Table) { right, judge = tables[0], judgeOnce }
	os.Exit(passed.Tests(m, update, begin, filepath.Join("testdata", "right")))
}

// judgeOnce is compare for programs that the table does not spare.
func judgeOnce(c *compiled, code []byte) (stage, message string) {
	name := passed.Name(passed.Compiler(), string(c.source), strings.ReplaceAll(string(code), c.folder, ""))
	if right.Spares(name) {
		return "", ""
	}
	if stage, message = c.compare(code); stage == "" {
		right.Note(name)
	}
	return stage, message
}

// A name that means several variables never makes a program compute something else.
func TestShadowed(t *testing.T) {
	for _, test := range append(shadowedNumbers, shadowedMemory...) {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			source := "int printf(const char *, ...);\n" + test.front + "\nstatic void f(int n, int m, double *restrict a, double *restrict b, int *restrict c)\n{" + test.body + `
}
static void run(int n, int m)
{
	static double a[2000], b[2000];
	static int c[2000];
	for (int i = 0; i < 2000; i++)
		a[i] = i % 7, b[i] = i % 5 + 1, c[i] = i * 5 % 11;
	f(n, m, a, b, c);
	for (int i = 0; i < 2000; i++)
		printf("%d %d %d %g %g %d\n", n, m, i, a[i], b[i], c[i]);
}
int main(void)
{
	run(0, 1);
	run(1, 3);
	run(7, 2);
	run(23, 12);
	return 0;
}
`
			tried := ways[:1]
			if kerneltest.Long() {
				tried = ways
			}
			r := checkBy(tried, []byte(source), rand.New(rand.NewPCG(1, 1)), plain)
			if r.Stage != "" || r.Refusal != test.refusal || r.IsNone || test.refusal == "" && r.Variants == 0 {
				t.Errorf("%s %s\n%s\n%s\n%s", r.Stage, r.Message, r.Refusal, r.Place, r.Code)
			}
		})
	}
}
