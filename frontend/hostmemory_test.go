package frontend

import (
	"os"
	"testing"
)

// What is kept of the host's compiler is what it answers, and is not kept where cc knows more of
// the options or where folders of the user's are looked for. A file that cannot be read with what
// is kept is read with what the compiler says now.
func TestHostMemory(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, name := range []string{"CPATH", "C_INCLUDE_PATH"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	if hostMemory(nil) == "" {
		t.Skip("cc is a script or has another name here: it is asked each time")
	}
	asked, err := askedConfig([]string{"-O1"})
	if err != nil {
		t.Fatal(err)
	}
	recalled := recalledConfig([]string{"-O1"})
	if recalled == nil || recalled.Predefined != asked.Predefined || len(recalled.SysIncludePaths) != len(asked.SysIncludePaths) {
		t.Fatalf("recalled %+v", recalled)
	}
	for _, options := range [][]string{{"-ffreestanding"}, {"-fno-builtin"}, {"-std=c99"}, {"-ansi"}, {"--sysroot=/tmp"}, {"-B/tmp"}} {
		if _, err := askedConfig(options); err != nil {
			t.Errorf("%s: %v", options, err)
		}
		if recalledConfig(options) != nil {
			t.Errorf("%s: it is kept", options)
		}
	}
	hostMemory(nil).Keep([]byte(`{"CC":"cc","Predefined":"#define __STDC__ 1\n"}`))
	const source = "#include <stdio.h>\nvoid f(int n, double *a)\n{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 0;\n#pragma endscop\n}\n"
	if kept := recalledConfig(nil); kept == nil || len(kept.SysIncludePaths) > 0 {
		t.Fatalf("kept: %+v", kept)
	}
	hostConfigs.Clear() // as in a process that has asked nothing yet
	t.Cleanup(hostConfigs.Clear)
	if file, err := Parse("t.c", []byte(source), Options{}); err != nil || len(file.Regions) != 1 {
		t.Errorf("with a stale answer: %v", err)
	}
	if kept := recalledConfig(nil); kept == nil || len(kept.SysIncludePaths) == 0 {
		t.Errorf("the stale answer stays: %+v", kept)
	}
	t.Setenv("CPATH", "/opt/include")
	if hostMemory(nil) != "" {
		t.Error("kept although CPATH names folders")
	}
}
