package frontend

import (
	"strings"
	"testing"
)

// The references of a region are in rows in any order of theirs, also where the first ones do not
// tell all lengths.
func TestLengthsOfRowsInAnyOrder(t *testing.T) {
	const loops = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "
	for _, test := range []struct{ first, second, want string }{
		{loops + "a[(n + i) * m + j] = 1;", loops + "for (int k = 0; k < 2; k++) b[j] += a[(k * n + i) * m + j];", "a[][n][m]"},
		{loops + "a[i * m + j] = 1;", loops + "for (int k = 0; k < 2; k++) { int plane = k * n; a[(plane + i) * m + j] = b[j]; }", "a[][n][m]"},
		{loops + "a[i * m + j] = 1;", "for (int k = 0; k < 9; k++) for (int l = 0; l < n; l++) a[(k * n + l) * m] += b[k];", "a[][n][m]"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < 64; j++) a[i * 64 + j] = 1;", "for (int i = 0; i < 9; i++) for (int j = 0; j < n; j++) for (int k = 0; k < 64; k++) a[(i * n + j) * 64 + k] = b[j];", "a[][n][64]"},
		// What stays in rows of its own lengths only.
		{"for (int i = 0; i < n; i++) for (int j = 0; j < 100; j++) a[i * 100 + j] = a[i + j];", "for (int i = 0; i < n; i++) for (int j = 0; j < 200; j++) a[i * 200 + j] += 1;", "a[]"},
	} {
		for _, region := range []string{test.first + "\n" + test.second, test.second + "\n" + test.first} {
			if _, array := rowsOf(t, "a", region); !strings.HasPrefix(array, "double "+test.want+" size") {
				t.Errorf("%s:\ngot  %s\nwant %s", region, array, test.want)
			}
		}
	}
}

// An index that goes through an array of rows at once is taken for any element, and nobody is asked
// whether all fits into one row; one that goes through the first row is known to stay there where
// others are only right then, in any order.
func TestFlatReferences(t *testing.T) {
	const rows = "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) "
	for _, test := range []struct {
		first, second, assumed string
		warnings               int
	}{
		{"for (int k = 0; k < l; k++) a[k] = 0;", rows + "a[i * m + j] = 1;", "", 1},
		{"for (int k = 0; k < l; k++) a[k] += a[k + 1];", rows + "a[i * m + j] = 1;", "", 2},
		{"for (int k = 0; k < l; k++) a[4 * k + 3] = 0;", rows + "a[(i * m + j) * 4 + 3] = 1;", "", 1},
		{"for (int k = 0; k < m; k++) a[k] = 0;", rows + "a[i * m + j] = 1;", "", 0},
		{"for (int k = 0; k < m; k++) a[k] = 0;", rows + "a[i * l + j] = 1;", "[n, m, l] -> {  : l >= m }", 0},
		{"a[l] = 0;", rows + "a[i * m + j] = 1;", "[n, m, l] -> {  : 0 <= l < m }", 0},
		{"for (int k = 0; k < l; k++) a[m + k] = 0;", rows + "a[i * m + j] = 1;", "[n, m, l] -> {  : m >= l }", 0},
	} {
		for _, region := range []string{test.first + "\n" + test.second, test.second + "\n" + test.first} {
			file, err := Parse("rows.c", []byte("void f(int n, int m, int l, double *a)\n{\n#pragma scop\n"+region+"\n#pragma endscop\n}\n"), Options{})
			if err != nil {
				t.Fatalf("%s: %v", region, err)
			}
			if got := len(file.Regions[0].Warnings); got != test.warnings {
				t.Errorf("%s: %d warnings, want %d: %v", region, got, test.warnings, file.Regions[0].Warnings)
			}
			model := newProver()
			program := file.Regions[0].Program
			if program.Assumed == "" != (test.assumed == "") {
				t.Errorf("%s: assumed %s, want %s", region, program.Assumed, test.assumed)
			} else if test.assumed != "" {
				if same, err := model.context.ReadSet(program.Assumed).IsEqual(model.context.ReadSet(test.assumed)); err != nil || !same {
					t.Errorf("%s: assumed %s, want %s (%v)", region, program.Assumed, test.assumed, err)
				}
			}
			model.close()
		}
	}
}

// Rows of members are read as those of other arrays, also where their lengths are members.
func TestMemberRows(t *testing.T) {
	const source = `struct grid { int nx, ny; double *ez, *hx; };
void f(struct grid *restrict g)
{
#pragma scop assume-no-alias
  for (int i = 0; i < g->nx; i++)
    for (int j = 0; j < g->ny - 1; j++)
      g->hx[i * g->ny + j] -= g->ez[i * g->ny + j + 1] - g->ez[i * g->ny + j];
#pragma endscop
}
`
	file, err := Parse("rows.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	region := file.Regions[0]
	if len(region.Warnings) > 0 || !region.Program.Array("g_hx").Linear || !region.Program.Array("g_ez").Linear {
		t.Errorf("warnings: %v\n%s", region.Warnings, region.Program)
	}
	for _, access := range region.Program.Statements[0].Accesses {
		if access.May {
			t.Errorf("the access to %s may happen: %s", access.Array, access.Relation)
		}
	}
}

// The rows of a band are as long as it is wide: the size of its matrix, which would do as well, is
// not asked for.
func TestBandRows(t *testing.T) {
	const source = `void f(int n, int kd, int ldab, double *ab)
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = j; i <= j + kd && i < n; i++)
      ab[i - j + j * ldab] *= 2;
#pragma endscop
}
`
	file, err := Parse("band.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := file.Regions[0].Program.Assumed; !strings.Contains(got, "ldab > kd") || strings.Contains(got, "ldab >= n") {
		t.Errorf("assumed %s", got)
	}
}

// Rows are as long as the columns that are clamped to a picture need, whatever is read from them
// before: that the picture is narrow, which would do as well, is not asked for.
func TestClampedRows(t *testing.T) {
	for name, test := range map[string]struct{ loops, within string }{
		"half": {`for (int x = 0; x < w; x++)
      for (int c = 0; c < 3; c++) {
        int next = 2 * x + 1 < width - 1 ? 2 * x + 1 : width - 1;
        out[y * w + x] += in[2 * y * stride + 6 * x + c] + in[2 * y * stride + next * 3 + c];
      }`, "stride >= 6w and width >= 2w"},
		"neighbours of four numbers": {`for (int x = 0; x < w; x++)
      for (int c = 0; c < 4; c++) {
        int next = x + 1 > width - 1 ? width - 1 : x + 1;
        out[y * w + x] += in[y * stride + x * 4 + c] - in[y * stride + next * 4 + c];
      }`, "stride >= 4width and width >= w + 1"},
	} {
		source := "void f(int w, int h, int width, int stride, const float *restrict in, float *restrict out)\n{\n" +
			"#pragma scop\n  for (int y = 0; y < h; y++)\n    " + test.loops + "\n#pragma endscop\n}\n"
		file, err := Parse("rows.c", []byte(source), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		prover := newProver()
		defer prover.close()
		within := prover.context.ReadSet("[h, stride, w, width] -> { : w >= 2 and h >= 1 and " + test.within + " }")
		assumed := prover.context.ReadSet(file.Regions[0].Program.Assumed)
		if holds, err := within.IsSubset(assumed); err != nil || !holds {
			t.Errorf("%s: assumed %s, which leaves out some of %s (%v)", name, assumed, within, err)
		}
	}
}
