package remember

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"polytune/internal/scripttest"
)

// What is kept is told by compiler, folder and parts, counts for a day, and goes then; scripts have
// nothing that is kept.
func TestFile(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "gcc")
	scripttest.Write(t, script, "#!/bin/sh\nexec gcc \"$@\"\n")
	for _, compiler := range []string{script, "", "/usr/bin/none"} {
		if f := Of(compiler, "kind", ".txt"); f != "" {
			t.Errorf("%q has %s", compiler, f)
		}
	}
	f := Of(gcc, "kind", ".txt", "a", "b")
	if f == "" {
		t.Skip("gcc is a script or has another name here")
	}
	if f != Of(gcc, "kind", ".txt", "a", "b") || f == Of(gcc, "kind", ".txt", "ab") || f == Of(gcc, "other", ".txt", "a", "b") {
		t.Error("parts and folder do not tell files apart")
	}
	if _, known := f.Recall(); known {
		t.Error("something is known before it is kept")
	}
	f.Keep([]byte("answer"))
	if content, known := f.Recall(); !known || string(content) != "answer" {
		t.Errorf("%q, %v", content, known)
	}
	t.Setenv("CPATH", "/opt/include")
	if Of(gcc, "kind", ".txt", "a", "b") == f {
		t.Error("another environment has the same file")
	}
	old := time.Now().Add(-2 * Day)
	if err := os.Chtimes(string(f), old, old); err != nil {
		t.Fatal(err)
	}
	if _, known := f.Recall(); known {
		t.Error("what is too old counts")
	}
	looked.Clear() // as in another process
	Of(gcc, "kind", ".txt", "c").Keep([]byte("other"))
	if _, err := os.Stat(string(f)); err == nil {
		t.Error("what is too old stays")
	}
	File("").Keep([]byte("nothing"))
}

// Of more files than a folder may have the younger half stays.
func TestMost(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var last File
	for k := range Most + 1 {
		last = File(filepath.Join(folder, strconv.Itoa(k)))
		if err := os.WriteFile(string(last), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(time.Duration(k-Most-2) * time.Second)
		if err := os.Chtimes(string(last), when, when); err != nil {
			t.Fatal(err)
		}
	}
	forget(folder)
	left, err := os.ReadDir(folder)
	if _, known := last.Recall(); err != nil || len(left) != Most/2 || !known {
		t.Errorf("%d files are left, the youngest among them: %v (%v)", len(left), known, err)
	}
}
