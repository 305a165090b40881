package written

import (
	"math/rand/v2"
	"testing"
)

// shadowed are functions in which one name means several variables, with the refusal of those that are not accepted.
var shadowed = []struct{ name, front, body, refusal string }{
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
	{name: "a walking pointer whose beginning is hidden in front of the region", body: `
	int k = 2;
	const double *p = b + k, *end = b + k + n;
	{
		int k = 1;
#pragma scop
		for (int i = 0; i < n; i++)
			a[i + k] += *p++;
#pragma endscop
	}`},
	{name: "a walking pointer with an end whose name means something else", refusal: "for: a for that does not set its iterator", body: `
	int k = n;
	const double *p = b, *end = b + k;
	{
		int k = 1;
#pragma scop
		for (; p < end; p++)
			a[k] += *p;
#pragma endscop
	}`},
	{name: "a walking pointer under names of its beginning", body: `
#pragma scop
	for (int i = 0; i < n; i++) {
		const double *p = b + i;
		for (int i = 0; i < 3; i++)
			a[i] += *p++;
	}
#pragma endscop`},
	{name: "a row pointer that is used where its parts are hidden", body: `
#pragma scop
	for (int i = 0; i < n; i++) {
		double *row = a + i * m;
		for (int j = 0; j < m; j++) {
			int i = j + 1;
			row[j] += i;
		}
	}
#pragma endscop`},
	{name: "a row pointer in a macro that declares a name of its parts", front: "#define SETTO(x) do { int i = 3; x = i; } while (0)", body: `
#pragma scop
	for (int i = 0; i < n; i++) {
		double *row = a + i * m;
		SETTO(row[1]);
	}
#pragma endscop`},
	{name: "a value in a macro that declares a name of its parts", front: "#define SETTO(x) do { int i = 3; x = i; } while (0)", body: `
#pragma scop
	for (int i = 0; i < n; i++) {
		int t = i + 1;
		SETTO(a[t]);
	}
#pragma endscop`},
	{name: "what loops leave of what they leave", body: `
	int f, g = m;
#pragma scop
	for (g = 0; g < f0; g++)
		a[g] += 1;
	for (f = 0; f < g; f++)
		b[f] += 1;
	for (g = 0; g < n; g++)
		a[g] += 2;
#pragma endscop
	c[0] = f;
	c[1] = g;`, front: "static int f0 = 4;"},
	{name: "what a loop leaves of what a later one sets", body: `
	int f = m, g;
#pragma scop
	for (g = 0; g < f; g++)
		b[g] += 1;
	for (f = 0; f < n; f++)
		a[f] += 2;
#pragma endscop
	c[0] = f;
	c[1] = g;`},
	{name: "two variables that stay the same of one name", front: "static int s = 3;\nstatic int at(int i) { return i * s; }", body: `
	int s = m;
#pragma scop
	for (int i = 0; i < n; i++)
		a[i + s] += b[at(i)];
#pragma endscop`},
	{name: "a function's argument with the name of an iterator", front: "static int at(int j, int i) { int n = i + 2 * j; return n > 9 ? n - 9 : n; }", body: `
#pragma scop
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			a[at(i, j)] += b[i + j];
#pragma endscop`},
	{name: "a variable of the region in a loop over one of its name", body: `
#pragma scop
	int k = m + 1;
	for (int i = 0; i < n; i++) {
		a[k] += 1;
		for (int k = 0; k < i; k++)
			b[k] += a[i];
		a[k + 1] += 1;
	}
#pragma endscop`},
	{name: "a variable of data in a loop over one of its name", body: `
	int k = 2;
#pragma scop
	for (int i = 0; i < n; i++) {
		k = c[i] & 7;
		for (int k = 0; k < m; k++)
			b[k] += a[i];
		a[k] += 1;
	}
#pragma endscop
	c[0] = k;`},
	{name: "blocks in one another with one name", body: `
	double t = 1;
#pragma scop
	for (int i = 0; i < n; i++) {
		t += a[i];
		{
			double t = b[i];
			b[i] = t * 2;
			{
				double t = a[i] + 1;
				a[i] = t;
			}
			b[i] += t;
		}
		a[i] += t;
	}
#pragma endscop
	a[0] += t;`},
	{name: "an array of the region that hides an argument", body: `
#pragma scop
	a[0] += b[1];
	{
		double b[4];
		for (int i = 0; i < 4; i++)
			b[i] = i + m;
		for (int i = 0; i < n; i++)
			a[i] += b[i & 3];
	}
	a[1] += b[2];
#pragma endscop`},
	{name: "a forward jump over a block that hides the condition", body: `
#pragma scop
	for (int i = 0; i < n; i++) {
		if (i > m)
			goto next;
		{
			int m = 7;
			a[i] += m;
		}
		b[i] += m;
next:;
	}
#pragma endscop`},
	{name: "continue in front of declarations that hide its condition", body: `
#pragma scop
	for (int i = 0; i < n; i++) {
		if (c[i] > m)
			continue;
		int m = c[i] & 3;
		a[i + m] += m;
	}
#pragma endscop`},
	{name: "exchanged pointers beside a hidden name", body: `
	double *now = a, *next = b, *kept;
#pragma scop
	for (int t = 0; t < m; t++) {
		for (int i = 1; i < n; i++) {
			int t = i - 1;
			next[i] = now[t] + 1;
		}
		kept = now;
		now = next;
		next = kept;
	}
#pragma endscop`},
	{name: "a copy by memcpy with loops inside a loop of its names", front: "void *memcpy(void *, const void *, unsigned long);", body: `
#pragma scop
	for (int copied = 0; copied < m; copied++) {
		memcpy(a, b, n * sizeof(double));
		b[copied] += a[copied];
	}
#pragma endscop`},
	{name: "a followed variable under another of its name", body: `
#pragma scop
	int at = 0;
	for (int i = 0; i < n; i++) {
		{
			int at = 5;
			at += i;
			b[at] += 1;
		}
		a[at] += i;
		at++;
	}
#pragma endscop`},
	{name: "a condition on what a branch hides", body: `
	int w = m;
#pragma scop
	for (int i = 0; i < n; i++) {
		if (i > w) {
			int w = i - 1;
			w += 1;
			a[w] += w;
		} else {
			w -= 0;
		}
		b[w] += i;
	}
#pragma endscop`},
	{name: "exchanged pointers in front of what hides their loop's end", body: `
	double *now = a, *next = b, *kept;
	{
#pragma scop
		for (int t = 0; t < m; t++) {
			for (int i = 1; i < n; i++)
				next[i] = now[i - 1] + 1;
			kept = now;
			now = next;
			next = kept;
		}
		int m = 3;
		c[m] += m;
#pragma endscop
	}
	now[0] = 7;`},
	{name: "blocks in one another outside of loops", body: `
#pragma scop
	double t = a[1];
	int k = c[0] & 7;
	{
		double t = b[1];
		int k = c[1] & 7;
		a[2] += t;
		b[k] += 1;
		{
			double t = b[2];
			a[3] += t;
		}
		a[4] += t;
	}
	a[5] += t;
	b[k] += 2;
	for (int i = 0; i < n; i++)
		a[i] += t;
#pragma endscop`},
	{name: "arrays in one another outside of loops", body: `
#pragma scop
	double t[3];
	for (int i = 0; i < 3; i++)
		t[i] = a[i];
	{
		double t[3];
		for (int i = 0; i < 3; i++)
			t[i] = b[i];
		for (int i = 0; i < n; i++)
			b[i] += t[i % 3];
	}
	for (int i = 0; i < n; i++)
		a[i] += t[i % 3];
#pragma endscop`},
	{name: "a body that hides its own iterator", body: `
#pragma scop
	for (int i = 0; i < n; i++) {
		b[i] += 1;
		int i = m;
		a[i] += b[i + 1];
		{
			int i = c[0] & 3;
			a[i] += 1;
		}
	}
#pragma endscop`},
	{name: "the extent of a temporary array that a variable of the region hides", body: `
	int length = m;
	double w[m];
#pragma scop
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < length; j++)
			w[j] = b[j] + i;
		double m = w[0];
		a[i] += m + w[length / 2];
	}
#pragma endscop`},
	{name: "a value in a statement expression that declares a name of its parts", front: "#define SQUARED(x) ({ int n = (x); n * n; })", body: `
#pragma scop
	int q = n + 1;
	for (int i = 0; i < m; i++) {
		int r = i + q;
		a[i] += SQUARED(q) + SQUARED(r);
	}
#pragma endscop`},
	{name: "a value in a statement expression that declares the iterator's name", front: "#define SQUARED(x) ({ int i = (x); i * i; })", body: `
#pragma scop
	for (int i = 0; i < n; i++) {
		int q = i + 1;
		a[i] += SQUARED(q);
	}
#pragma endscop`},
	{name: "a size that a loop around the region hides", body: `
	int size = n + 1;
	for (int n = 0; n < 3; n++) {
#pragma scop
		for (int i = 0; i < size; i++)
			a[i + n] += b[i];
#pragma endscop
	}`},
	{name: "rows of a length that a block around the region hides", body: `
	int length = m;
	{
		int m = 2;
#pragma scop
		for (int i = 0; i < n; i++)
			for (int j = 0; j < length; j++)
				a[i * length + j] += b[j * m];
#pragma endscop
	}`},
	{name: "memory whose length a block around the region hides", front: "void *malloc(unsigned long);", body: `
	double *h = malloc((n + 9) * sizeof(double));
	for (int i = 0; i < n + 9; i++)
		h[i] = i;
	{
		int n = 1;
#pragma scop
		for (int i = 0; i < m; i++)
			h[c[i] & 7] += n;
#pragma endscop
	}
	a[0] += h[3];`},
	{name: "a pointer that is set in front of what hides its parts", body: `
	int k = 3;
	double *row = a + k;
	{
		int k = 1;
#pragma scop
		for (int i = 0; i < n; i++)
			row[i] += k;
		a[k] += 1;
#pragma endscop
	}`},
	{name: "one iterator after another of its name under data", body: `
	int t = 5;
#pragma scop
	for (int i = 0; i < n; i++) {
		if (c[i] > 3)
			for (int t = 0; t < 3; t++)
				a[t] += b[i];
		for (int k = c[i] & 3; k < 5; k++) {
			int t = k + i;
			b[t] += 1;
		}
		a[t] += 2;
	}
	for (t = 0; t < m && c[t] < 9; t++)
		a[t] += 1;
	b[t] += 1;
#pragma endscop`},
	{name: "a pointer of the region that hides an argument", body: `
#pragma scop
	b[0] += 1;
	for (int i = 0; i < n; i++) {
		const double *a = b + 1;
		c[i] = a[i];
	}
	a[0] += 1;
#pragma endscop`},
}

// A name that means several variables never makes a program compute something else.
func TestShadowed(t *testing.T) {
	for _, test := range shadowed {
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
			r := Check([]byte(source), rand.New(rand.NewPCG(1, 1)), plain)
			if r.Stage != "" || r.Refusal != test.refusal || r.IsNone || test.refusal == "" && r.Variants == 0 {
				t.Errorf("%s %s\n%s\n%s\n%s", r.Stage, r.Message, r.Refusal, r.Place, r.Code)
			}
		})
	}
}
