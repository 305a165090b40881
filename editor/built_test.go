package editor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/pipeline/buildflags"
)

// A file of a project is read as the project's build compiles it, where a database says how; a region
// of it, its nests, and the command for its best variant have these flags.
func TestCompileCommands(t *testing.T) {
	t.Parallel()
	c := begin(t)
	folder := filepath.Dir(pathOf(c.uri))
	for name, text := range map[string]string{
		"headers/sizes.h":       "#ifndef TYPE\n#error no TYPE\n#endif\n#define N 100\n",
		buildflags.DatabaseName: fmt.Sprintf(`[{"directory": %q, "file": %q, "arguments": ["cc", "-Iheaders", "-DTYPE=double", "-c", "product.c"]}]`, folder, pathOf(c.uri)),
	} {
		if err := errors.Join(os.MkdirAll(filepath.Join(folder, "headers"), 0o700), os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	c.initialize()
	c.open("#include <sizes.h>\nvoid f(TYPE a[N])\n{\n#pragma scop\n  for (int i = 0; i < N; i++)\n    a[i] = 1;\n#pragma endscop\n  for (int i = 0; i < N; i++)\n    a[i] += 1;\n}\n")
	if list := c.diagnostics(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	if got := c.hover(2, 4, 4); !strings.HasPrefix(got, "loop `i` around S0: parallel") {
		t.Errorf("hover: %s", got)
	}
	if list := c.actions(3, 7); len(list) != 1 || list[0].Edit == nil {
		t.Errorf("actions: %+v", list)
	}
	c.end(4)
}
