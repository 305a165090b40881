package benchmarks

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// argument is one parameter of a C function. With extents it is an array,
// without them an int is a size and a floating-point number a scalar. A struct
// of an array counts as that array.
type argument struct {
	ctype, name string
	extents     []string
}

var argumentPattern = regexp.MustCompile(`^((?:unsigned )?(?:char|short|int|long)|float|double|struct \w+) (\w+)((?:\[[^][]+\])*)$`)

// arguments parses the parameters of a function that source defines.
func arguments(source []byte, function string) ([]argument, error) {
	head := regexp.MustCompile(`(?m)^void ` + function + `\(([^)]*)\)\n\{`).FindSubmatch(source)
	if head == nil {
		return nil, fmt.Errorf("no definition of %s", function)
	}
	var list []argument
	for text := range strings.SplitSeq(string(head[1]), ",") {
		m := argumentPattern.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil || m[3] == "" && m[1] != "int" && m[1] != "float" && m[1] != "double" {
			return nil, fmt.Errorf("%s: parameter %q is neither a size, a scalar nor an array", function, text)
		}
		a := argument{ctype: m[1], name: m[2]}
		if m[3] != "" {
			a.extents = strings.Split(strings.Trim(m[3], "[]"), "][")
		}
		if strings.HasPrefix(a.ctype, "struct") {
			member := regexp.MustCompile(`(?m)^` + a.ctype + ` \{\n    (\w+) \w+\[(\d+)\];\n\};`).FindSubmatch(source)
			if member == nil {
				return nil, fmt.Errorf("%s: %s is no struct of one array", function, a.ctype)
			}
			a.ctype, a.extents = string(member[1]), append(a.extents, string(member[2]))
		}
		list = append(list, a)
	}
	return list, nil
}

var parameterName = regexp.MustCompile(`[A-Za-z_]\w*`)

// elements is the number of elements of an array whose extents are sums and
// products of sizes and constants.
func (a *argument) elements(sizes map[string]int) (int64, error) {
	text := parameterName.ReplaceAllStringFunc("("+strings.Join(a.extents, ")*(")+")",
		func(name string) string { return fmt.Sprint(sizes[name]) })
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil {
		return 0, err
	}
	elements, exact := constant.Int64Val(constant.ToInt(value.Value))
	if !exact || elements < 0 {
		return 0, fmt.Errorf("%s elements", value.Value)
	}
	return elements, nil
}

func TestCatalogueAgreesWithSources(t *testing.T) {
	for _, b := range All() {
		t.Run(b.Name, func(t *testing.T) {
			args, err := arguments(b.Source, b.Function())
			if err != nil {
				t.Fatal(err)
			}
			init, err := arguments(b.Source, b.InitFunction())
			if err != nil {
				t.Fatal(err)
			}
			var sizes, scalars []string
			for _, a := range args {
				switch {
				case a.extents != nil:
				case a.ctype == "int":
					sizes = append(sizes, a.name)
				default:
					scalars = append(scalars, a.name)
				}
			}
			if !slices.Equal(sizes, b.Parameters) {
				t.Errorf("int parameters %v, catalogue %v", sizes, b.Parameters)
			}
			slices.Sort(scalars)
			if named := slices.Sorted(maps.Keys(b.Scalars)); !slices.Equal(scalars, named) {
				t.Errorf("scalar parameters %v, catalogue %v", scalars, named)
			}
			if !slices.EqualFunc(args, init, func(x, y argument) bool {
				return x.ctype == y.ctype && x.name == y.name && slices.Equal(x.extents, y.extents)
			}) {
				t.Errorf("%s has parameters %v, %s has %v", b.Function(), args, b.InitFunction(), init)
			}
			for _, pragma := range []string{"#pragma scop\n", "#pragma endscop\n"} {
				if n := strings.Count(string(b.Source), pragma); n != 1 {
					t.Errorf("%d times %q", n, pragma)
				}
			}
			if b.Title == "" || b.File != b.Name+".c" {
				t.Errorf("title %q, file %q", b.Title, b.File)
			}
		})
	}
}

func TestEverySourceIsInTheCatalogue(t *testing.T) {
	sources, err := fs.Glob(files, "*/*.c")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, b := range All() {
		listed = append(listed, b.File)
	}
	slices.Sort(listed)
	if !slices.Equal(sources, listed) {
		t.Errorf("files %v\nlisted %v", sources, listed)
	}
}

func TestSizesGrow(t *testing.T) {
	knownToShrink := map[string]bool{"polybench/atax extralarge M": true, "polybench/bicg extralarge M": true}
	for _, b := range All() {
		for i, size := range SizeNames {
			values, err := b.Size(size)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range b.Parameters {
				where := b.Name + " " + size + " " + p
				if i > 0 && values[p] < b.Sizes[SizeNames[i-1]][p] && !knownToShrink[where] {
					t.Errorf("%s shrinks to %d", where, values[p])
				}
				if values[p] <= 0 {
					t.Errorf("%s is %d", where, values[p])
				}
			}
		}
	}
}

func TestSizeListsTheValidNames(t *testing.T) {
	b, err := Find("polybench/2mm")
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Size("huge")
	want := `benchmark polybench/2mm has no size "huge"; the sizes are mini, small, medium, large, extralarge`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"polybench/2mm": "polybench/2mm",
		"2mm":           "polybench/2mm",
		"sc10/2mm":      "sc10/2mm",
		"seidel":        "sc10/seidel",
		"seidel-2d":     "polybench/seidel-2d",
	} {
		b, err := Find(name)
		if err != nil || b.Name != want {
			t.Errorf("Find(%q) = %s, %v; want %s", name, b.Name, err, want)
		}
	}
}

func TestSelect(t *testing.T) {
	for list, want := range map[string]string{
		"2mm":               "polybench/2mm",
		"sc10/2mm, 3mm":     "sc10/2mm polybench/3mm",
		"3mm,polybench/3mm": "polybench/3mm",
	} {
		var names []string
		chosen, err := Select(list)
		for _, b := range chosen {
			names = append(names, b.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("Select(%q) = %s, %v; want %s", list, got, err, want)
		}
	}
	if suite, err := Select("sc10"); err != nil || len(suite) != 16 {
		t.Errorf("%d benchmarks in sc10 (%v), want 16", len(suite), err)
	}
	if _, err := Select("2mm,4mm"); err == nil || !strings.Contains(err.Error(), "4mm") {
		t.Errorf("4mm: got %v", err)
	}
}

func TestFindSuggestsTheNearest(t *testing.T) {
	for name, want := range map[string]string{
		"2mmm":           `no benchmark "2mmm"; did you mean polybench/2mm?`,
		"sc10/2mmm":      `no benchmark "sc10/2mmm"; did you mean sc10/2mm?`,
		"polybnch/gemm":  `no benchmark "polybnch/gemm"; did you mean polybench/gemm?`,
		"jacobi":         `no benchmark "jacobi"; did you mean polybench/jacobi-1d or polybench/jacobi-2d?`,
		"GEMM":           `no benchmark "GEMM"; did you mean polybench/gemm?`,
		"Ωmm":            `no benchmark "Ωmm"; did you mean polybench/2mm or polybench/3mm?`,
		"":               "no benchmark \"\"; `tune list` shows which there are",
		"navier-stokes!": "no benchmark \"navier-stokes!\"; `tune list` shows which there are",
	} {
		_, err := Find(name)
		var missing *NotFoundError
		if !errors.As(err, &missing) || missing.Name != name {
			t.Errorf("Find(%q): error %#v", name, err)
			continue
		}
		if err.Error() != want {
			t.Errorf("Find(%q): %s\nwant %s", name, err, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"lu", "lu", 0},
		{"kitten", "sitting", 3}, {"gemm", "gemver", 3}, {"trmm", "rtmm", 2}, {"ä", "a", 1},
	} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestAllIsOrderedAndOwnedByTheCaller(t *testing.T) {
	first := All()
	suites := []string{}
	for i, b := range first {
		if !slices.Contains(suites, b.Suite()) {
			suites = append(suites, b.Suite())
		}
		if i > 0 && first[i-1].Suite() == b.Suite() && first[i-1].Name >= b.Name {
			t.Errorf("%s comes before %s", first[i-1].Name, b.Name)
		}
		if b.Suite() != suites[len(suites)-1] {
			t.Errorf("%s is away from its suite", b.Name)
		}
	}
	if want := []string{"polybench", "sc10", "plutoplus", "hex", "tiramisu"}; !slices.Equal(suites, want) {
		t.Errorf("suites %v, want %v", suites, want)
	}
	first[0].Sizes["mini"]["NI"] = -1
	first[0].Source[0] = '!'
	first[0].Scalars["alpha"] = -1
	if again := All()[0]; again.Sizes["mini"]["NI"] == -1 || again.Source[0] == '!' || again.Scalars["alpha"] == -1 {
		t.Error("a change of the result of All is seen by its next caller")
	}
}

func TestDamagedCatalogue(t *testing.T) {
	const sizes = "{mini: {N: 1}, small: {N: 2}, medium: {N: 3}, large: {N: 4}, extralarge: {N: 5}}"
	for name, c := range map[string]struct{ catalogue, want string }{
		"no file":         {"- {name: s/k, file: s/none.c, sizes: " + sizes + "}", "none.c"},
		"no suite":        {"- {name: k, file: s/k.c, sizes: " + sizes + "}", "SUITE/KERNEL"},
		"a size too few":  {"- {name: s/k, file: s/k.c, sizes: {mini: {N: 1}}}", "has 1 sizes"},
		"other parameter": {"- {name: s/k, file: s/k.c, sizes: " + strings.Replace(sizes, "N: 3", "M: 3", 1) + "}", "size medium gives parameters [M]"},
		"no integer":      {"- {name: s/k, file: s/k.c, sizes: " + strings.Replace(sizes, "N: 3", "N: x", 1) + "}", "cannot unmarshal"},
		"size a list":     {"- {name: s/k, file: s/k.c, sizes: " + strings.Replace(sizes, "{N: 3}", "[N, 3]", 1) + "}", "cannot unmarshal"},
		"twice":           {strings.Repeat("- {name: s/k, file: s/k.c, sizes: "+sizes+"}\n", 2), "s/k is there twice"},
	} {
		fsys := fstest.MapFS{
			"catalogue.yaml": {Data: []byte(c.catalogue)},
			"s/k.c":          {Data: []byte("")},
		}
		_, err := readCatalogue(fsys, "catalogue.yaml")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}
