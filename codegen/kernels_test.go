package codegen

import (
	"polytune/scop"
	"polytune/scop/mark"
)

func gemmStatements() []scop.Statement {
	return []scop.Statement{
		statementOf(0, "C[i][j] *= 0.7;", "i j", "0 <= i < N and 0 <= j < M"),
		statementOf(1, "C[i][j] += 1.5 * A[i][k] * B[k][j];", "i j k", "0 <= i < N and 0 <= j < M and 0 <= k < N"),
	}
}

const gemmOriginal = `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      C[i][j] *= 0.7;
      for (int k = 0; k < N; k++)
        C[i][j] += 1.5 * A[i][k] * B[k][j];
    }`

const gemmDomain = `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M; S1[i, j, k] : 0 <= i, k < N and 0 <= j < M }"
child:
`

// kernels are the cases, one property of the generator each.
var kernels = []kernel{
	{
		name: "gemm", about: "two statements in their original order",
		statements: gemmStatements(), original: gemmOriginal,
		tree: gemmDomain + `
  schedule: "[{ S0[i, j] -> [i]; S1[i, j, k] -> [i] }, { S0[i, j] -> [j]; S1[i, j, k] -> [j] }]"
  child:
    sequence:
    - filter: "{ S0[i, j] }"
    - filter: "{ S1[i, j, k] }"
      child: { schedule: "[{ S1[i, j, k] -> [k] }]" }
`,
		lacks: []string{"#define", "if ("},
	},
	{
		name: "gemm-tiled", about: "distributed; tiled, with full tiles apart; parallel and vector loops",
		statements: gemmStatements(), original: gemmOriginal,
		tree: gemmDomain + `
  sequence:
  - filter: "{ S0[i, j] }"
    child:
      mark: "parallel i"
      child:
        schedule: "[{ S0[i, j] -> [i] }]"
        child: { mark: "vector j", child: { schedule: "[{ S0[i, j] -> [j] }]" } }
  - filter: "{ S1[i, j, k] }"
    child:
      mark: "parallel it"
      child:
        schedule: "[{ S1[i, j, k] -> [floor(i/32)] }]"
        child:
          schedule: "[{ S1[i, j, k] -> [floor(j/32)] }, { S1[i, j, k] -> [floor(k/32)] }]"
          child:
            schedule: "[{ S1[i, j, k] -> [i - 32*floor(i/32)] }, { S1[i, j, k] -> [k - 32*floor(k/32)] }]"
            options: "[N, M] -> { atomic[x]; isolate[[it, jt, kt] -> [i, k]] : 0 <= it, jt, kt and 32it + 31 < N and 32jt + 31 < M and 32kt + 31 < N }"
            child:
              mark: "vector j"
              child: { schedule: "[{ S1[i, j, k] -> [j - 32*floor(j/32)] }]", options: "{ atomic[x] }" }
`,
		wants: []string{
			"for (long c5 = 0; c5 < 32; c5++)\n",
			"#pragma omp parallel for", "#pragma omp simd",
		},
	},
	{
		name: "gemm-fused", about: "the initialisation fused into the tiles; full tiles apart",
		statements: gemmStatements(), original: gemmOriginal,
		tree: gemmDomain + `
  mark: "parallel it"
  child:
    schedule: "[{ S0[i, j] -> [floor(i/32)]; S1[i, j, k] -> [floor(i/32)] }]"
    child:
      schedule: "[{ S0[i, j] -> [floor(j/32)]; S1[i, j, k] -> [floor(j/32)] }, { S0[i, j] -> [0]; S1[i, j, k] -> [floor(k/32)] }]"
      child:
        sequence:
        - filter: "{ S0[i, j] }"
          child:
            schedule: "[{ S0[i, j] -> [i] }]"
            options: "[N, M] -> { atomic[x]; isolate[[it, jt, kt] -> [i]] : 0 <= it, jt and 32it + 31 < N and 32jt + 31 < M }"
            child: { mark: "vector j", child: { schedule: "[{ S0[i, j] -> [j] }]", options: "{ atomic[x] }" } }
        - filter: "{ S1[i, j, k] }"
          child:
            schedule: "[{ S1[i, j, k] -> [i] }, { S1[i, j, k] -> [k] }]"
            options: "[N, M] -> { atomic[x]; isolate[[it, jt, kt] -> [i, k]] : 0 <= it, jt, kt and 32it + 31 < N and 32jt + 31 < M and 32kt + 31 < N }"
            child: { mark: "vector j", child: { schedule: "[{ S1[i, j, k] -> [j] }]", options: "{ atomic[x] }" } }
`,
	},
	{
		name: "triangle", about: "a triangular domain; full tiles apart",
		statements: []scop.Statement{statementOf(0, "C[i][j] += A[i][k] * B[k][j];", "i j k", "0 <= i < N and 0 <= j <= i and j <= k <= i")},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      for (int k = j; k <= i; k++)
        C[i][j] += A[i][k] * B[k][j];`,
		tree: `domain: "[N, M] -> { S0[i, j, k] : 0 <= i < N and 0 <= j <= i and j <= k <= i }"
child:
  mark: "parallel it"
  child:
    schedule: "[{ S0[i, j, k] -> [floor(i/8)] }]"
    child:
      schedule: "[{ S0[i, j, k] -> [floor(j/8)] }, { S0[i, j, k] -> [floor(k/8)] }]"
      child:
        schedule: "[{ S0[i, j, k] -> [i mod 8] }, { S0[i, j, k] -> [k mod 8] }]"
        options: "[N, M] -> { atomic[x]; isolate[[it, jt, kt] -> [i, k]] : 0 <= jt and 8it + 7 < N and 8kt + 7 <= 8it and 8jt + 7 <= 8kt }"
        child:
          mark: "vector j"
          child: { schedule: "[{ S0[i, j, k] -> [j mod 8] }]", options: "{ atomic[x] }" }
`,
		wants: []string{"for (long c5 = 0; c5 < 8; c5++)\n"},
	},
	{
		name: "jacobi", about: "two statements fused by a shift, in skewed tiles; full tiles apart",
		statements: []scop.Statement{
			statementOf(0, "z[i] = 0.25 * (x[i - 1] + x[i + 1]);", "t i", "0 <= t < M and 1 <= i < N - 1"),
			statementOf(1, "x[i] = z[i];", "t i", "0 <= t < M and 1 <= i < N - 1"),
		},
		original: `
  for (int t = 0; t < M; t++) {
    for (int i = 1; i < N - 1; i++)
      z[i] = 0.25 * (x[i - 1] + x[i + 1]);
    for (int i = 1; i < N - 1; i++)
      x[i] = z[i];
  }`,
		tree: `domain: "[N, M] -> { S0[t, i] : 0 <= t < M and 1 <= i < N - 1; S1[t, i] : 0 <= t < M and 1 <= i < N - 1 }"
child:
  schedule: "[{ S0[t, i] -> [floor(t/4)]; S1[t, i] -> [floor(t/4)] }, { S0[t, i] -> [floor((2t + i)/16)]; S1[t, i] -> [floor((2t + i + 1)/16)] }]"
  child:
    schedule: "[{ S0[t, i] -> [t mod 4]; S1[t, i] -> [t mod 4] }, { S0[t, i] -> [(2t + i) mod 16]; S1[t, i] -> [(2t + i + 1) mod 16] }]"
    options: "[N, M] -> { atomic[0]; separate[1]; isolate[[tt, it] -> [t, i]] : 0 <= tt and 4tt + 3 < M and 16it >= 8tt + 8 and 16it + 15 < 8tt + N - 1 }"
    child:
      sequence:
      - filter: "{ S0[t, i] }"
      - filter: "{ S1[t, i] }"
`,
		wants: []string{"for (long c3 = 0; c3 < 16; c3++) {\n"},
	},
	{
		name: "descending", about: "a loop that counts down",
		statements: []scop.Statement{statementOf(0, "x[i] = x[i + 1] * 0.5 + x[i];", "-i", "0 <= i < N")},
		original: `
  for (int i = N - 1; i >= 0; i--)
    x[i] = x[i + 1] * 0.5 + x[i];`,
		tree: `domain: "[N, M] -> { S0[i] : 0 <= i < N }"
child: { schedule: "[{ S0[i] -> [-i] }]" }
`,
		lacks: []string{"- -"},
	},
	{
		name: "strided", about: "a domain with a stride, two loops on one iterator",
		statements: []scop.Statement{
			statementOf(0, "x[i] += x[i - 1];", "i", "exists (a : i = 1 + 3a) and 1 <= i < N"),
			statementOf(1, "y[j - i] += j;", "i j", "0 <= i < N and i <= j < N and (j - i) mod 4 = 2"),
		},
		original: `
  for (int i = 1; i < N; i += 3)
    x[i] += x[i - 1];
  for (int i = 0; i < N; i++)
    for (int j = i + 2; j < N; j += 4)
      y[j - i] += j;`,
		tree: `domain: "[N, M] -> { S0[i] : exists (a : i = 1 + 3a) and 1 <= i < N; S1[i, j] : 0 <= i < N and i <= j < N and (j - i) mod 4 = 2 }"
child:
  sequence:
  - filter: "{ S0[i] }"
    child: { schedule: "[{ S0[i] -> [i] }]" }
  - filter: "{ S1[i, j] }"
    child: { schedule: "[{ S1[i, j] -> [j] }, { S1[i, j] -> [i] }]" }
`,
	},
	{
		name: "guards", about: "conditions on loops and on parameters, a statement that is an if",
		statements: []scop.Statement{
			statementOf(0, "x[i] += 1.0;", "i", "0 <= i < N"),
			statementOf(1, "if (x[i] > x[i + j]) x[i] = x[i + j];", "i j", "0 <= i < N and i <= 3 and 0 <= j < M"),
			statementOf(2, "x[M] -= x[i];", "i", "0 <= i < N and (i = 7 or M > 30)"),
		},
		original: `
  for (int i = 0; i < N; i++) {
    x[i] += 1.0;
    if (i <= 3)
      for (int j = 0; j < M; j++)
        if (x[i] > x[i + j]) x[i] = x[i + j];
    if (i == 7 || M > 30)
      x[M] -= x[i];
  }`,
		tree: `domain: "[N, M] -> { S0[i] : 0 <= i < N; S1[i, j] : 0 <= i < N and i <= 3 and 0 <= j < M; S2[i] : 0 <= i < N and (i = 7 or M > 30) }"
child:
  schedule: "[{ S0[i] -> [i]; S1[i, j] -> [i]; S2[i] -> [i] }]"
  options: "{ atomic[x] }"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i, j] }"
      child: { schedule: "[{ S1[i, j] -> [j] }]" }
    - filter: "{ S2[i] }"
`,
	},
	{
		name: "piecewise", about: "an index set cut in two, each half in an order of its own",
		statements: []scop.Statement{statementOf(0, "z[i] = 0.5 * x[N - 1 - i] + z[i];", "i", "0 <= i < N")},
		original: `
  for (int i = 0; i < N; i++)
    z[i] = 0.5 * x[N - 1 - i] + z[i];`,
		tree: `domain: "[N, M] -> { S0[i] : 0 <= i < N }"
child:
  mark: "vector i"
  child: { schedule: "[N, M] -> [{ S0[i] -> [(i)] : 2i < N; S0[i] -> [(N - 1 - i)] : 2i >= N }]" }
`,
	},
	{
		name: "negative", about: "negative coefficients: reversed, skewed and scaled",
		statements: []scop.Statement{statementOf(0, "A[i][j] += 0.25 * B[j][i] + 1.0;", "i j", "0 <= i < N and 0 <= j < M")},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] += 0.25 * B[j][i] + 1.0;`,
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M }"
child:
  schedule: "[N, M] -> [{ S0[i, j] -> [(floor((i - 2j)/32))] }, { S0[i, j] -> [(floor((M - i - j)/32))] }]"
  child: { schedule: "[N, M] -> [{ S0[i, j] -> [(i - 2j)] }, { S0[i, j] -> [(M - i - j)] }]" }
`,
		lacks: []string{"- -", "+ -"},
	},
	{
		name: "made-by-hand", about: "a statement that was never C text",
		statements: []scop.Statement{madeByHand()},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] = (B[j][i] + 1.0) * x[i + 1] - (x[j] - A[i][j]);`,
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M }"
child:
  schedule: "[N, M] -> [{ S0[i, j] -> [(j)] }, { S0[i, j] -> [(-i)] }]"
`,
		wants: []string{"(B[c0][-c1] + 1.0) * x[-c1 + 1] - (x[c0] - A[-c1][c0]);"},
	},
	{
		name: "wavefront", about: "a skewed stencil in tiles, wavefronts of tiles in parallel",
		statements: []scop.Statement{
			statementOf(0, "A[t + 1][i] = 0.3 * (A[t][i - 1] + A[t][i] + A[t][i + 1]);", "t i", "0 <= t < N and 1 <= i < M"),
		},
		original: `
  for (int t = 0; t < N; t++)
    for (int i = 1; i < M; i++)
      A[t + 1][i] = 0.3 * (A[t][i - 1] + A[t][i] + A[t][i + 1]);`,
		tree: `domain: "[N, M] -> { S0[t, i] : 0 <= t < N and 1 <= i < M }"
child:
  schedule: "[{ S0[t, i] -> [floor(t/8) + floor((t + i)/8)] }]"
  child:
    mark: "parallel front"
    child:
      schedule: "[{ S0[t, i] -> [floor((t + i)/8)] }]"
      child:
        schedule: "[{ S0[t, i] -> [t] }]"
        child: { mark: "vector i", child: { schedule: "[{ S0[t, i] -> [t + i] }]" } }
`,
		wants: []string{"#pragma omp parallel for"},
	},
	{
		name: "threads", about: "short parallel loops on one thread: up, by two, from a variable",
		statements: []scop.Statement{
			statementOf(0, "A[t + 1][i] = 0.3 * A[t][M - i];", "t i", "0 <= t < N and 1 <= i < M"),
			statementOf(1, "A[t + 1][i] += A[t][i - 1];", "t i", "0 <= t < N and t < i <= M - 1 and i mod 2 = 0"),
		},
		original: `
  for (int t = 0; t < N; t++) {
    for (int i = 1; i < M; i++)
      A[t + 1][i] = 0.3 * A[t][M - i];
    for (int i = t + 1; i < M; i++)
      if (i % 2 == 0)
        A[t + 1][i] += A[t][i - 1];
  }`,
		tree: `domain: "[N, M] -> { S0[t, i] : 0 <= t < N and 1 <= i < M; S1[t, i] : 0 <= t < N and t < i <= M - 1 and i mod 2 = 0 }"
child:
  schedule: "[{ S0[t, i] -> [t]; S1[t, i] -> [t] }]"
  child:
    sequence:
    - filter: "{ S0[t, i] }"
      child: { mark: "threads 4 c0", child: { mark: "parallel c0", child: { schedule: "[{ S0[t, i] -> [i] }]" } } }
    - filter: "{ S1[t, i] }"
      child: { mark: "threads 3 c1", child: { mark: "parallel c1", child: { mark: "vector c1", child: { schedule: "[{ S1[t, i] -> [i] }]" } } } }
`,
		wants: []string{"if (M >= 5) {", "if (M + c0 % 2 - c0 - 2 >= 5) {", "#pragma omp parallel for simd"},
	},
	{
		name: "grain", about: "small nests on one thread, also those of a team and loops shared together",
		statements: []scop.Statement{
			statementOf(0, "A[i][j] += x[i] * x[j];", "i j", "0 <= i < N and 0 <= j < M"),
			statementOf(1, "B[i][j] += A[i][j];", "b i j", "0 <= b < 3 and 0 <= i < N and 0 <= j < M"),
			statementOf(2, "C[i][j] += A[i][j];", "i j", "0 <= i < N and 0 <= j < M"),
		},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] += x[i] * x[j];
  for (int b = 0; b < 3; b++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        B[i][j] += A[i][j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      C[i][j] += A[i][j];`,
		marks: map[string]mark.Mark{
			"threads 12 c0.1 of N, 2M - 1": mark.Threads{Loop: "c0.1", From: 12, Of: []scop.Row{{Parameters: []int64{1, 0}}, {Parameters: []int64{0, 2}, Constant: -1}}},
			"threads 9 c1.2 of N + M":      mark.Threads{Loop: "c1.2", From: 9, Of: []scop.Row{{Parameters: []int64{1, 1}}}},
			"threads 7 c2.1 of N":          mark.Threads{Loop: "c2.1", From: 7, Of: []scop.Row{{Parameters: []int64{1, 0}}}},
		},
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M; S1[b, i, j] : 0 <= b < 3 and 0 <= i < N and 0 <= j < M; S2[i, j] : 0 <= i < N and 0 <= j < M }"
child:
  sequence:
  - filter: "{ S0[i, j] }"
    child: { mark: "threads 12 c0.1 of N, 2M - 1", child: { mark: "dynamic c0.1", child: { mark: "parallel c0.1", child: { schedule: "[{ S0[i, j] -> [i] }]", child: { schedule: "[{ S0[i, j] -> [j] }]" } } } } }
  - filter: "{ S1[b, i, j] }"
    child: { mark: "team c1.1", child: { schedule: "[{ S1[b, i, j] -> [b] }]", child: { mark: "threads 9 c1.2 of N + M", child: { mark: "parallel c1.2", child: { schedule: "[{ S1[b, i, j] -> [i] }]", child: { schedule: "[{ S1[b, i, j] -> [j] }]" } } } } } }
  - filter: "{ S2[i, j] }"
    child: { mark: "threads 7 c2.1 of N", child: { mark: "collapse c2.1", child: { mark: "parallel c2.1", child: { schedule: "[{ S2[i, j] -> [i] }]", child: { mark: "parallel c2.2", child: { schedule: "[{ S2[i, j] -> [j] }]" } } } } } }
`,
		wants: []string{
			"if ((double) N * (2 * (long) M - 1) >= 12 && N >= 2) {\n", "#pragma omp parallel for schedule(dynamic)\n", "#pragma omp parallel if((double) ((long) M + N) >= 9)\n",
			"#pragma omp for\n", "if ((double) N >= 7) {\n", "#pragma omp parallel for collapse(2)\n",
		},
	},
	{
		name: "collapse", about: "two loops whose iterations threads share together; not where the one's range depends on the other, nor where something is between them",
		statements: []scop.Statement{
			statementOf(0, "A[i][j] += x[i] * x[j];", "i j", "0 <= i < N and 0 <= j < M"),
			statementOf(1, "B[i][j] += x[i] * x[j];", "i j", "0 <= i < N and 0 <= j <= i"),
			statementOf(2, "z[i] += x[i];", "i", "0 <= i < N"),
			statementOf(3, "C[i][j] += z[i];", "i j", "0 <= i < N and 0 <= j < M"),
			statementOf(4, "C[i][j] += A[i][b];", "b i j", "0 <= i < N and 0 <= b < 3 and 0 <= j < M"),
		},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] += x[i] * x[j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      B[i][j] += x[i] * x[j];
  for (int i = 0; i < N; i++) {
    z[i] += x[i];
    for (int j = 0; j < M; j++)
      C[i][j] += z[i];
  }
  for (int b = 0; b < 3; b++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        C[i][j] += A[i][b];`,
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M; S1[i, j] : 0 <= i < N and 0 <= j <= i; S2[i] : 0 <= i < N; S3[i, j] : 0 <= i < N and 0 <= j < M; S4[b, i, j] : 0 <= b < 3 and 0 <= i < N and 0 <= j < M }"
child:
  sequence:
  - filter: "{ S0[i, j] }"
    child: { mark: "dynamic c0.1", child: { mark: "collapse c0.1", child: { mark: "parallel c0.1", child: { schedule: "[{ S0[i, j] -> [i] }]", child: { mark: "parallel c0.2", child: { schedule: "[{ S0[i, j] -> [j] }]" } } } } } }
  - filter: "{ S1[i, j] }"
    child: { mark: "collapse c1.1", child: { mark: "parallel c1.1", child: { schedule: "[{ S1[i, j] -> [i] }]", child: { mark: "parallel c1.2", child: { schedule: "[{ S1[i, j] -> [j] }]" } } } } }
  - filter: "{ S2[i]; S3[i, j] }"
    child:
      mark: "collapse c2.1"
      child:
        mark: "parallel c2.1"
        child:
          schedule: "[{ S2[i] -> [i]; S3[i, j] -> [i] }]"
          child:
            sequence:
            - filter: "{ S2[i] }"
            - filter: "{ S3[i, j] }"
              child: { mark: "parallel c2.2", child: { schedule: "[{ S3[i, j] -> [j] }]" } }
  - filter: "{ S4[b, i, j] }"
    child: { mark: "team c3.1", child: { schedule: "[{ S4[b, i, j] -> [b] }]", child: { mark: "collapse c3.2", child: { mark: "parallel c3.2", child: { schedule: "[{ S4[b, i, j] -> [i] }]", child: { mark: "parallel c3.3", child: { schedule: "[{ S4[b, i, j] -> [j] }]" } } } } } } }
`,
		wants: []string{"#pragma omp parallel for collapse(2) schedule(dynamic)\n", "#pragma omp for collapse(2)\n", "#pragma omp parallel for\n"},
	},
	{
		name: "ivdep", about: "vector loops of which the compiler knows no more than that nothing depends, one of them parallel",
		statements: []scop.Statement{
			statementOf(0, "z[j] += A[i][j] * x[i];", "i j", "0 <= i < N and 0 <= j < M"),
			statementOf(1, "A[i][j] += z[j] * x[i];", "i j", "0 <= i < N and 0 <= j < M"),
		},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      z[j] += A[i][j] * x[i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] += z[j] * x[i];`,
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M; S1[i, j] : 0 <= i < N and 0 <= j < M }"
child:
  sequence:
  - filter: "{ S0[i, j] }"
    child: { schedule: "[{ S0[i, j] -> [i] }]", child: { mark: "threads 30 c0.2", child: { mark: "parallel c0.2", child: { mark: "ivdep c0.2", child: { mark: "vector c0.2", child: { schedule: "[{ S0[i, j] -> [j] }]" } } } } } }
  - filter: "{ S1[i, j] }"
    child: { mark: "parallel c1.1", child: { schedule: "[{ S1[i, j] -> [i] }]", child: { mark: "ivdep c1.2", child: { mark: "vector c1.2", child: { schedule: "[{ S1[i, j] -> [j] }]" } } } } }
`,
		wants: []string{"if (M >= 30) {", "tune_ivdep\n", "#pragma omp parallel for\n"},
		lacks: []string{"#pragma omp simd"},
	},
	{
		name: "simdlen", about: "vector loops for which the compiler is asked for lanes, one of them parallel",
		statements: []scop.Statement{
			statementOf(0, "z[j] += A[i][j] * x[i];", "i j", "0 <= i < N and 0 <= j < M"),
			statementOf(1, "A[i][j] += z[j] * x[i];", "i j", "0 <= i < N and 0 <= j < M"),
		},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      z[j] += A[i][j] * x[i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] += z[j] * x[i];`,
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M; S1[i, j] : 0 <= i < N and 0 <= j < M }"
child:
  sequence:
  - filter: "{ S0[i, j] }"
    child: { schedule: "[{ S0[i, j] -> [i] }]", child: { mark: "threads 30 c0.2", child: { mark: "parallel c0.2", child: { mark: "simdlen 8 c0.2", child: { mark: "vector c0.2", child: { schedule: "[{ S0[i, j] -> [j] }]" } } } } } }
  - filter: "{ S1[i, j] }"
    child: { mark: "parallel c1.1", child: { schedule: "[{ S1[i, j] -> [i] }]", child: { mark: "simdlen 4 c1.2", child: { mark: "vector c1.2", child: { schedule: "[{ S1[i, j] -> [j] }]" } } } } }
`,
		wants: []string{"#pragma omp parallel for simd simdlen(8)\n", "#pragma omp simd simdlen(8)\n", "#pragma omp simd simdlen(4)\n"},
	},
	{
		name: "region", about: "threads that start outside of their loop; not where its range varies, nor where something is beside it",
		statements: []scop.Statement{
			statementOf(0, "y[j] += A[i][j] * x[i];", "i j", "0 <= i < N and 0 <= j < M"),
			statementOf(1, "z[j] += A[i][j] * x[i];", "i j", "0 <= i < N and 0 <= j <= i"),
			statementOf(2, "z[j] += A[i][j] * x[i];", "i j", "0 <= i < N and (j = 0 or 5 <= j < 9)"),
		},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      y[j] += A[i][j] * x[i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      z[j] += A[i][j] * x[i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 9; j++)
      if (j == 0 || j >= 5)
        z[j] += A[i][j] * x[i];`,
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M; S1[i, j] : 0 <= i < N and 0 <= j <= i; S2[i, j] : 0 <= i < N and (j = 0 or 5 <= j < 9) }"
child:
  sequence:
  - filter: "{ S0[i, j] }"
    child: { mark: "region c0.1", child: { schedule: "[{ S0[i, j] -> [i] }]", child: { mark: "threads 4 c0.2", child: { mark: "parallel c0.2", child: { schedule: "[{ S0[i, j] -> [j] }]" } } } } }
  - filter: "{ S1[i, j] }"
    child: { mark: "region c1.1", child: { schedule: "[{ S1[i, j] -> [i] }]", child: { mark: "dynamic c1.2", child: { mark: "parallel c1.2", child: { schedule: "[{ S1[i, j] -> [j] }]" } } } } }
  - filter: "{ S2[i, j] }"
    child: { mark: "region c2.1", child: { schedule: "[{ S2[i, j] -> [i] }]", child: { mark: "parallel c2.2", child: { schedule: "[{ S2[i, j] -> [j] }]", options: "{ separate[x] }" } } } }
`,
		wants: []string{"#pragma omp parallel\n", "if (M >= 4)", "#pragma omp for schedule(static) nowait", "#pragma omp parallel for schedule(dynamic)", "#pragma omp parallel for\n"},
	},
	{
		name: "team", about: "threads that start outside of several loops, and wait; not where a statement is beside those",
		statements: []scop.Statement{
			statementOf(0, "x[i] += A[i][0] * y[i];", "i", "0 <= i < N"),
			statementOf(1, "y[j] += A[i][j] * x[i];", "i j", "0 <= i < N and 0 <= j < M"),
			statementOf(2, "z[0] += A[i][0] * x[i];", "i", "0 <= i < N"),
			statementOf(3, "z[j] += A[i][j] * x[i];", "i j", "0 <= i < N and 1 <= j < M"),
		},
		original: `
  for (int b = 0; b < N; b += 4) {
    for (int i = b; i < N && i < b + 4; i++)
      x[i] += A[i][0] * y[i];
    for (int i = b; i < N && i < b + 4; i++)
      for (int j = 0; j < M; j++)
        y[j] += A[i][j] * x[i];
  }
  for (int i = 0; i < N; i++) {
    z[0] += A[i][0] * x[i];
    for (int j = 1; j < M; j++)
      z[j] += A[i][j] * x[i];
  }`,
		tree: `domain: "[N, M] -> { S0[b, i] : 0 <= i < N and 4b <= i <= 4b + 3; S1[b, i, j] : 0 <= i < N and 4b <= i <= 4b + 3 and 0 <= j < M; S2[i] : 0 <= i < N; S3[i, j] : 0 <= i < N and 1 <= j < M }"
child:
  sequence:
  - filter: "{ S0[b, i]; S1[b, i, j] }"
    child:
      mark: "team c0.1t"
      child:
        schedule: "[{ S0[b, i] -> [b]; S1[b, i, j] -> [b] }]"
        child:
          sequence:
          - filter: "{ S0[b, i] }"
            child: { mark: "dynamic c0_0.2", child: { mark: "parallel c0_0.2", child: { schedule: "[{ S0[b, i] -> [i] }]" } } }
          - filter: "{ S1[b, i, j] }"
            child: { mark: "region c0_1.2", child: { schedule: "[{ S1[b, i, j] -> [i] }]", child: { mark: "threads 4 c0_1.3", child: { mark: "parallel c0_1.3", child: { schedule: "[{ S1[b, i, j] -> [j] }]" } } } } }
  - filter: "{ S2[i]; S3[i, j] }"
    child:
      mark: "team c1.1"
      child:
        schedule: "[{ S2[i] -> [i]; S3[i, j] -> [i] }]"
        child:
          sequence:
          - filter: "{ S2[i] }"
          - filter: "{ S3[i, j] }"
            child: { mark: "parallel c1_1.2", child: { schedule: "[{ S3[i, j] -> [j] }]" } }
`,
		wants: []string{"if (M >= 4) {", "#pragma omp parallel\n", "#pragma omp for schedule(dynamic)\n", "#pragma omp for schedule(static) nowait\n", "#pragma omp barrier\n", "#pragma omp parallel for\n"},
	},
	{
		name: "values", about: "iterators outside of subscripts, and */ in a header /* too",
		statements: []scop.Statement{
			statementOf(0, "y[i] = (int) (sizeof i + sizeof(i)) + i / 2 + i % 3 - -i;", "i", "0 <= i < N"),
			statementOf(1, "x[i] = i * 0.5f + SQUARE(i) + y[twice(i) / 2] + y[2 * i / 2];", "i", "0 <= i < N"),
			statementOf(2, "z[2 * i + 1 - i] -=\n      x[(i + M) - M] * (double) i\n      + AT(i) /* [i] */;", "i", "0 <= i < N"),
			statementOf(3, "y[y[i] * 0 + i] += i > 5 ? -i : i;", "i", "0 <= i < N"),
		},
		original: `
  for (int i = 0; i < N; i++) {
    y[i] = (int) (sizeof i + sizeof(i)) + i / 2 + i % 3 - -i;
    x[i] = i * 0.5f + SQUARE(i) + y[twice(i) / 2] + y[2 * i / 2];
    z[2 * i + 1 - i] -= x[(i + M) - M] * (double) i + AT(i);
    y[y[i] * 0 + i] += i > 5 ? -i : i;
  }`,
		tree: `domain: "[N, M] -> { S0[i] : 0 <= i < N; S1[i] : 0 <= i < N; S2[i] : 0 <= i < N; S3[i] : 0 <= i < N }"
child:
  schedule: "[N, M] -> [{ S0[i] -> [(i + 5)]; S1[i] -> [(i + 5)]; S2[i] -> [(i + 5)]; S3[i] -> [(i + 5)] }]"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i] }"
    - filter: "{ S2[i] }"
    - filter: "{ S3[i] }"
`,
	},
	{
		name: "constant", about: "a parallel loop of one iteration: its pragma must vanish with it",
		statements: []scop.Statement{statementOf(0, "A[i][j] = A[i][j] * 0.5 + A[i + 1][j];", "i j", "0 <= i < 20 and 0 <= j < M")},
		original: `
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < M; j++)
      A[i][j] = A[i][j] * 0.5 + A[i + 1][j];`,
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < 20 and 0 <= j < M }"
child:
  mark: "parallel it"
  child:
    schedule: "[{ S0[i, j] -> [floor(i/32)] }]"
    child:
      schedule: "[{ S0[i, j] -> [i] }]"
      child: { mark: "vector j", child: { schedule: "[{ S0[i, j] -> [j] }]" } }
`,
		wants: []string{"omp simd"}, lacks: []string{"parallel for"},
	},
	{
		name: "ambiguous", about: "one name for marks at two depths of one statement: no pragma may be put at the wrong one",
		statements: []scop.Statement{statementOf(0, "A[i][j] += 1.0;", "i j", "0 <= i < N and 0 <= j < M")},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] += 1.0;`,
		tree: `domain: "[N, M] -> { S0[i, j] : 0 <= i < N and 0 <= j < M }"
child:
  sequence:
  - filter: "{ S0[i, j] : i < 5 }"
    child: { schedule: "[{ S0[i, j] -> [i] }]", child: { mark: "vector v", child: { schedule: "[{ S0[i, j] -> [j] }]" } } }
  - filter: "{ S0[i, j] : i >= 5 }"
    child: { mark: "vector v", child: { schedule: "[{ S0[i, j] -> [i] }]", child: { mark: "vector w", child: { schedule: "[{ S0[i, j] -> [j] }]" } } } }
`,
		wants: []string{"    for (long c0 = 5; c0 < N; c0++) {\n      #pragma omp simd\n"},
	},
	{
		name: "foreign", about: "parameters of unsigned types; names that are taken; variables of the region",
		arguments: []scop.Argument{{Name: "N", Type: "unsigned"}, {Name: "M", Type: "size_t"}},
		context:   "[N, M] -> { : N >= 0 and M >= 0 }",
		arrays:    []scop.Array{{Name: "c1", Type: "double", Local: true}, {Name: "row", Type: "double", Extents: []string{"160"}, Local: true}},
		locals:    []scop.Local{{Name: "c1", Declaration: "double c1"}, {Name: "row", Declaration: "double row[160]"}},
		statements: []scop.Statement{
			statementOf(0, "c1 = B[i][i] + 1.0;", "i", "0 <= i < N - 1"),
			statementOf(1, "row[j] = c1 * A[i][j];", "i j", "0 <= i < N - 1 and 0 <= j < 2N - M"),
			statementOf(2, "B[i][j] += row[j];", "i j", "0 <= i < N - 1 and 0 <= j < 2N - M"),
		},
		taken: []string{"tune_min", "tune_max"}, unused: []string{"outer"},
		original: `
  for (outer = 0; outer < (long) N - 1; outer++) {
    double c1 = B[outer][outer] + 1.0;
    double row[160];
    for (int j = 0; j < 2 * (long) N - (long) M; j++)
      row[j] = c1 * A[outer][j];
    for (int j = 0; j < 2 * (long) N - (long) M; j++)
      B[outer][j] += row[j];
  }`,
		tree: `domain: "[N, M] -> { S0[i] : 0 <= i < N - 1; S1[i, j] : 0 <= i < N - 1 and 0 <= j < 2N - M; S2[i, j] : 0 <= i < N - 1 and 0 <= j < 2N - M }"
child:
  schedule: "[{ S0[i] -> [i]; S1[i, j] -> [i]; S2[i, j] -> [i] }]"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i, j]; S2[i, j] }"
      child:
        schedule: "[{ S1[i, j] -> [floor(j/16)]; S2[i, j] -> [floor(j/16)] }, { S1[i, j] -> [j]; S2[i, j] -> [j] }]"
        child:
          sequence:
          - filter: "{ S1[i, j] }"
          - filter: "{ S2[i, j] }"
`,
		wants: []string{"tune_min_(", "double row[160];"},
	},
	{
		name: "once", about: "a loop that runs once on a value that is not affine",
		statements: []scop.Statement{statementOf(0, "x[i] += 1.0;", "i", "2i <= N and 2i > N - 2 and 0 <= i")},
		original: `
  for (int i = 0; 2 * i <= N; i++)
    if (2 * i > N - 2)
      x[i] += 1.0;`,
		tree: `domain: "[N, M] -> { S0[i] : 2i <= N and 2i > N - 2 and 0 <= i }"
child: { mark: "parallel i", child: { schedule: "[{ S0[i] -> [i] }]" } }
`,
		lacks: []string{"#pragma", "for ("},
	},
	{
		name: "maximum", about: "a bound that is a condition",
		statements: []scop.Statement{statementOf(0, "x[i] += 1.0;", "i", "0 <= i and i >= N and i >= M and (i = N or i = M)")},
		original: `
  if (N >= 0 || M >= 0)
    x[N > M ? N : M] += 1.0;`,
		tree: `domain: "[N, M] -> { S0[i] : 0 <= i and i >= N and i >= M and (i = N or i = M) }"
child: { mark: "parallel i", child: { schedule: "[{ S0[i] -> [i] }]", options: "{ atomic[x] }" } }
`,
	},
	{
		name: "empty", about: "a region without instances",
		statements: []scop.Statement{statementOf(0, "x[i] += 1.0;", "i", "false")},
		original:   ";",
		tree:       `domain: "[N, M] -> { S0[i] : false }"`,
	},
}
