package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/pipeline/buildflags"
)

// A file that can be read with the flags of its build, and not without, says so; what these do not mend
// is told alone.
func TestWithFlags(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"#pragma scop\n  for (int i = 0; i < N; i++)\n    a[i] = 1;\n#pragma endscop\n":    true,
		"#pragma scop\n  for (int i = 0; i < N; i++)\n    a[i] = none;\n#pragma endscop\n": false,
		"  for (int i = 0; i < N; i++)\n    a[i] = 1;\n":                                   false,
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "a.c")
		err := errors.Join(
			os.WriteFile(path, []byte("#ifndef N\n#error N\n#endif\nvoid f(double a[N])\n{\n"+body+"}\n"), 0o600),
			os.WriteFile(filepath.Join(folder, buildflags.DatabaseName), fmt.Appendf(nil, `[{"directory": %q, "file": "a.c", "command": "cc -DN=8 -c a.c"}]`, folder), 0o600))
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&Options{}).All([]string{path})
		if err == nil || strings.HasSuffix(err.Error(), buildflags.DatabaseName+" has it, with --build-flags -DN=8") != want {
			t.Errorf("%s: %v", body, err)
		}
	}
}
