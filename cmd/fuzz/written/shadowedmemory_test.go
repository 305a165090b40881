package written

// shadowedMemory are those about pointers, arrays, and variables in blocks.
var shadowedMemory = []shadowing{
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
