package pipeline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/target/registry"
)

const (
	onRanksFunction = "void f(int n, double a[n])\n{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = i;\n#pragma endscop\n}\n"
	onRanksMain     = "int main(void)\n{\n  double a[9];\n  f(9, a);\n  return 0;\n}\n"
	onRanksRegion   = "double a[9];\nint main(void)\n{\n#pragma scop\n  for (int i = 0; i < 9; i++)\n    a[i] = i;\n#pragma endscop\n  return 0;\n}\n"
)

// Programs with a main are not run on ranks, and the error says what to write instead.
func TestProgramsOnRanks(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	main := write("main.c", "void f(int n, double a[n]);\n"+onRanksMain)
	for _, c := range []struct{ name, text, flags, want string }{
		{"alone.c", onRanksFunction, "", ""},
		{"both.c", onRanksFunction + onRanksMain, "", "write f into a file without main, which declares it instead; then tune … FILE.c --target mpi --param n=…"},
		{"region.c", onRanksRegion, "", "write the region into a function with its arrays and sizes as arguments"},
		{"beside.c", onRanksFunction, main, "in a file of --build-flags: leave that file out"},
	} {
		var options pipeline.Options
		var err error
		if options.On, err = registry.Find("mpi"); err != nil {
			t.Fatal(err)
		}
		options.Program.BuildText = c.flags
		targets, err := options.All([]string{write(c.name, c.text)})
		if err != nil {
			t.Fatal(err)
		}
		err = targets[0].CheckCalledOnRanks()
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
