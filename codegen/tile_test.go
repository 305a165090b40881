package codegen

import (
	"testing"

	"polytune/isl"
	"polytune/schedule/command"
	"polytune/scop"
)

// tiled are kernels whose schedules are written as recipes with a "separate"
// command: full tiles are printed apart.
var tiled = []struct {
	kernel
	recipe string
}{
	{kernel{
		name: "tile-rectangle", about: "a rectangular domain, the middle loop sunk",
		statements: gemmStatements(), original: gemmOriginal,
		wants: []string{
			"if (4 * c0 + 4 <= N && 5 * c2 + 5 <= N && 8 * c1 + 8 <= M)",
			"c3 <= 4 * c0 + 3; c3++)", "c4 <= 5 * c2 + 4; c4++)", "c5 <= 8 * c1 + 7; c5++)",
		},
	}, `
classes {S0} {S1}
band c0 permutable S0[i, j] -> [i, j]
band c1 permutable S1[i, j, k] -> [i, j, k]
tile c1.1 c1.2 c1.3 by 4 8 5
parallel c1.1t
separate c1.3t
sink c1.2
vectorize c1.2
`},
	{kernel{
		name: "tile-still", about: "a statement that stands still at the first iteration of the innermost loop",
		statements: gemmStatements(), original: gemmOriginal,
	}, `
classes {S0 S1}
band c0 permutable S0[i, j] -> [i, j, 0]; S1[i, j, k] -> [i, j, k]
split c0 {S0} {S1}
tile c0.1 c0.2 c0.3 by 8 8 8
parallel c0.1t
separate c0.3t
sink c0.2
vectorize c0.2
`},
	{kernel{
		name: "tile-still-last", about: "a statement that runs at the last iteration, beyond those of the other",
		statements: []scop.Statement{
			statementOf(0, "C[i][j] += A[i][k];", "i j k", "0 <= i < N and 0 <= j < N and 0 <= k < M"),
			statementOf(1, "B[i][j] = C[i][j];", "i j", "0 <= i < N and 0 <= j < N"),
		},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      for (int k = 0; k < M; k++)
        C[i][j] += A[i][k];
      B[i][j] = C[i][j];
    }`,
	}, `
classes {S0 S1}
band c0 permutable S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, M]
split c0 {S0} {S1}
tile c0.1 c0.2 c0.3 by 8 4 8
parallel c0.1t
separate c0.3t
sink c0.2
vectorize c0.2
`},
	{kernel{
		name: "tile-triangle", about: "triangular domains, as in trmm and lu",
		statements: []scop.Statement{
			statementOf(0, "A[i][j] -= 0.125 * A[i][k] * A[k][j];", "i j k", "0 <= i < N and 0 <= j < i and 0 <= k < j"),
			statementOf(1, "A[i][j] *= A[j][j];", "i j", "0 <= i < N and 0 <= j < i"),
			statementOf(2, "A[i][j] -= 0.125 * A[i][k] * A[k][j];", "i j k", "0 <= i < N and i <= j < N and 0 <= k < i"),
		},
		original: `
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= 0.125 * A[i][k] * A[k][j];
      A[i][j] *= A[j][j];
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        A[i][j] -= 0.125 * A[i][k] * A[k][j];
  }`,
	}, `
classes {S0 S1 S2}
band c0 permutable S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, j, k] -> [i, j, k]
split c0 {S0} {S1} {S2}
tile c0.1 c0.2 c0.3 by 8 8 8
wavefront c0.1t c0.2t
parallel c0.2t
separate c0.3t
`},
	{kernel{
		name: "tile-below", about: "a triangle whose inner loop starts at the outer one",
		statements: []scop.Statement{
			statementOf(0, "C[i][j] += A[k][i] * C[k][j];", "i j k", "0 <= i < N and 0 <= j < M and i < k < N"),
		},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = i + 1; k < N; k++)
        C[i][j] += A[k][i] * C[k][j];`,
	}, `
classes {S0}
band c0 permutable S0[i, j, k] -> [j, i, k]
tile c0.1 c0.2 c0.3 by 8 4 8
parallel c0.1t
separate c0.3t
sink c0.1
vectorize c0.1
`},
	{kernel{
		name: "tile-skewed", about: "a stencil in skewed tiles, wavefronts of them in parallel",
		statements: []scop.Statement{
			statementOf(0, "x[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];", "t i", "0 <= t < N and 1 <= i < M - 1"),
		},
		original: `
  for (int t = 0; t < N; t++)
    for (int i = 1; i < M - 1; i++)
      x[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];`,
	}, `
classes {S0}
band c0 permutable S0[t, i] -> [t, t + i]
tile c0.1 c0.2 by 4 8
wavefront c0.1t c0.2t
parallel c0.2t
separate c0.2t
`},
	{kernel{
		name: "tile-skewed-twice", about: "the rows of seidel: three dimensions, two skewed",
		statements: []scop.Statement{
			statementOf(0, "A[i][j] = 0.5 * A[i][j] + 0.125 * (A[i - 1][j + 1] + A[i][j - 1] + A[i + 1][j] + A[i + 1][j + 1]);", "t i j", "0 <= t < N and 1 <= i, j < M - 1"),
		},
		original: `
  for (int t = 0; t < N; t++)
    for (int i = 1; i < M - 1; i++)
      for (int j = 1; j < M - 1; j++)
        A[i][j] = 0.5 * A[i][j] + 0.125 * (A[i - 1][j + 1] + A[i][j - 1] + A[i + 1][j] + A[i + 1][j + 1]);`,
	}, `
classes {S0}
band c0 permutable S0[t, i, j] -> [t, t + i, 2t + i + j]
tile c0.1 c0.2 c0.3 by 8 8 8
wavefront c0.1t c0.2t
parallel c0.2t
separate c0.3t
`},
	{kernel{
		name: "tile-shifted", about: "two statements of different shifts in skewed tiles",
		statements: []scop.Statement{
			statementOf(0, "z[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];", "t i", "0 <= t < N and 1 <= i < M - 1"),
			statementOf(1, "x[i] = 0.25 * z[i - 1] + 0.5 * z[i] + 0.25 * z[i + 1];", "t i", "0 <= t < N and 1 <= i < M - 1"),
		},
		original: `
  for (int t = 0; t < N; t++) {
    for (int i = 1; i < M - 1; i++)
      z[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
    for (int i = 1; i < M - 1; i++)
      x[i] = 0.25 * z[i - 1] + 0.5 * z[i] + 0.25 * z[i + 1];
  }`,
	}, `
classes {S0 S1}
band c0 permutable S0[t, i] -> [t, 2t + i]; S1[t, i] -> [t, 2t + i + 1]
split c0 {S0} {S1}
tile c0.1 c0.2 by 4 8
separate c0.2t
`},
	{kernel{
		name: "tile-bounds", about: "fused statements with different bounds",
		statements: []scop.Statement{
			statementOf(0, "C[i][j] = 0.5 * A[i][j];", "i j", "0 <= i < N and 0 <= j < M"),
			statementOf(1, "B[i][j] = C[i][j] + 1.0;", "i j", "0 <= i < M and 0 <= j < N"),
		},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      C[i][j] = 0.5 * A[i][j];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      B[i][j] = C[i][j] + 1.0;`,
	}, `
classes {S0 S1}
band c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]
split c0 {S0} {S1}
tile c0.1 c0.2 by 8 8
parallel c0.1t
separate c0.2t
vectorize c0.2
`},
	{kernel{
		name: "tile-descending", about: "a loop that counts down, and one that counts up",
		statements: []scop.Statement{statementOf(0, "A[i][j] = A[i + 1][j] + 0.5 * A[i][j + 1];", "-i -j", "0 <= i < N and 0 <= j < M")},
		original: `
  for (int i = N - 1; i >= 0; i--)
    for (int j = M - 1; j >= 0; j--)
      A[i][j] = A[i + 1][j] + 0.5 * A[i][j + 1];`,
	}, `
classes {S0}
band c0 permutable S0[i, j] -> [-i, -j]
tile c0.1 c0.2 by 8 8
wavefront c0.1t c0.2t
parallel c0.2t
separate c0.2t
`},
	{kernel{
		name: "tile-levels", about: "tiles of tiles",
		statements: gemmStatements()[:1],
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      C[i][j] *= 0.7;`,
	}, `
classes {S0}
band c0 permutable S0[i, j] -> [i, j]
tile c0.1 c0.2 by 4 4
tile c0.1t c0.2t by 2 4
parallel c0.1tt
separate c0.2t
vectorize c0.2
`},
	{kernel{
		name: "tile-holes", about: "a domain with holes has no full tile of constant bounds",
		statements: []scop.Statement{statementOf(0, "A[i][j] += 1.0;", "i j", "0 <= i < N and 0 <= j < M and (i + j) mod 2 = 0")},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = i % 2; j < M; j += 2)
      A[i][j] += 1.0;`,
	}, `
classes {S0}
band c0 permutable S0[i, j] -> [i, j]
tile c0.1 c0.2 by 8 8
parallel c0.1t
separate c0.2t
`},
	{kernel{
		name: "tile-mirrored", about: "a coefficient that is not one: the points of a tile have gaps",
		statements: []scop.Statement{statementOf(0, "A[i][j] += 1.0;", "i j", "0 <= i < N and 0 <= j < M")},
		original: `
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] += 1.0;`,
	}, `
classes {S0}
band c0 permutable S0[i, j] -> [2i - j, j]
tile c0.1 c0.2 by 8 8
separate c0.2t
`},
	{kernel{
		name: "tile-else", about: "an else if whose condition always holds in a full tile, above several statements",
		statements: []scop.Statement{
			statementOf(0, "B[i][j] = 1.0;", "i j", "i = 2 and 2 <= j < M"),
			statementOf(1, "x[i] = 0.5 * x[i] + 1.0;", "i", "1 <= i < M"),
			statementOf(2, "C[i][j] = 0.5 * A[i][j] + 0.25 * C[i][j];", "-i j", "2 < i < M and 2 <= j < 7"),
		},
		original: `
  for (int j = 2; j < M; j++)
    B[2][j] = 1.0;
  for (int i = 1; i < M; i++)
    x[i] = 0.5 * x[i] + 1.0;
  for (int i = M - 1; i > 2; i--)
    for (int j = 2; j < 7; j++)
      C[i][j] = 0.5 * A[i][j] + 0.25 * C[i][j];`,
	}, `
classes {S0 S1 S2}
band c0 permutable S0[i, j] -> [i + 5, j]; S1[i] -> [i, 14]; S2[i, j] -> [j, -i + 2j + 14]
split c0 {S0} {S1} {S2}
tile c0.1 c0.2 by 5 5
separate c0.2t
`},
	{kernel{
		name: "block-skewed", about: "rows that run beside each other, skewed by two: bounds of a block's loop are quotients",
		statements: sweepStatements(), original: sweepOriginal,
		wants: []string{"const long tune_first = ", "B[4 * c3 - 1 * c4 + 3]["},
	}, `
classes {S0}
band c0 permutable S0[t, i, j] -> [t, t + i, 2t + i + j]
skew c0.3 by 1 c0.2
tile c0.1 c0.2 c0.3 by 5 8 16
wavefront c0.1t c0.2t
parallel c0.2t
registers c0.2 by 4
`},
	{kernel{
		name: "block-of-steps", about: "time steps and rows beside each other, with a stream of which three iterations make a row",
		statements: sweepStatements(), original: sweepOriginal,
	}, `
classes {S0}
band c0 permutable S0[t, i, j] -> [t, t + i, 2t + i + j]
skew c0.3 by 1 c0.1
skew c0.3 by 2 c0.2
registers c0.1 c0.2 by 2 3
`},
}

// sweepStatements are those of a nine-point stencil in place.
func sweepStatements() []scop.Statement {
	return []scop.Statement{statementOf(0, "B[i][j] = 0.2 * (B[i - 1][j - 1] + B[i - 1][j + 1] + B[i][j - 1] + B[i + 1][j] + B[i + 1][j - 1]) + t;",
		"t i j", "0 <= t < M and 1 <= i < N - 1 and 1 <= j < N - 1")}
}

const sweepOriginal = `
  for (int t = 0; t < M; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        B[i][j] = 0.2 * (B[i - 1][j - 1] + B[i - 1][j + 1] + B[i][j - 1] + B[i + 1][j] + B[i + 1][j - 1]) + t;`

// tiledKernels are the kernels with the schedule trees of their recipes.
func tiledKernels(t testing.TB) []kernel {
	t.Helper()
	var list []kernel
	for _, k := range tiled {
		program := k.program()
		recipe, err := command.Parse(program, k.recipe)
		if err != nil {
			t.Fatal(k.name, err)
		}
		tree, err := recipe.Replay(program)
		if err != nil {
			t.Fatal(k.name, err)
		}
		c := isl.NewContext()
		model, err := program.Model(c)
		if err != nil {
			t.Fatal(k.name, err)
		}
		lowered := tree.Schedule(model)
		k.tree, k.table = lowered.Tree.String(), lowered.Marks
		c.Close()
		list = append(list, k.kernel)
	}
	return list
}

func TestTileGolden(t *testing.T) {
	for _, k := range tiledKernels(t) {
		t.Run(k.name, func(t *testing.T) { checkGolden(t, k) })
	}
}

// TestTileRun runs full and partial tiles: sizes around multiples of the tile
// sizes.
func TestTileRun(t *testing.T) {
	runKernels(t, tiledKernels(t), []int{0, 1, 2, 7, 8, 9, 31, 32, 33, 65}, silent, optimised)
}
