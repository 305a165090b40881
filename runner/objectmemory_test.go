package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/internal/remember"
	"polytune/scop"
)

// A driver's object file is remembered for its text and flags, for a day.
func TestObjectMemory(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	compiler := gcc(t)
	memory := objectOf(compiler, "int x;", []string{"-O1"})
	if memory == "" {
		t.Skip("gcc is a script or has another name here: it compiles each time")
	}
	for _, other := range []remember.File{objectOf(compiler, "int y;", []string{"-O1"}), objectOf(compiler, "int x;", []string{"-O2"})} {
		if other == memory {
			t.Error("another text or flag has the same memory")
		}
	}
	object, again := filepath.Join(t.TempDir(), "object"), filepath.Join(t.TempDir(), "again")
	if err := os.WriteFile(object, []byte("\x7fELF code"), 0o600); err != nil {
		t.Fatal(err)
	}
	if recallObject(memory, again) {
		t.Error("something is remembered before it is kept")
	}
	keepObject(memory, object)
	if got, err := os.ReadFile(again); !recallObject(memory, again) || err == nil {
		t.Errorf("not remembered: %q", got)
	}
	if got, err := os.ReadFile(again); err != nil || string(got) != "\x7fELF code" {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(string(memory), []byte("machine code"), 0o600); err != nil || recallObject(memory, again) {
		t.Errorf("what is no object file counts (%v)", err)
	}
	old := time.Now().Add(-2 * remember.Day)
	if err := os.Chtimes(string(memory), old, old); err != nil {
		t.Fatal(err)
	}
	if recallObject(memory, again) {
		t.Error("what is too old counts")
	}
}

// The second builder of a driver takes the first one's object file.
func TestDriverIsCompiledOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p := newProgram(t, loopHead+"int main(void)\n{\n  region();\n  return 0;\n}\n", 0, ProgramOptions{}, Subject{})
	own := p.Builder.flags(Job{})
	memory := objectOf(p.Builder.options.Toolchain, p.program.Companion().Text, own)
	if memory == "" {
		t.Skip("gcc is a script or has another name here: it compiles each time")
	}
	build(t, p.Builder, p.source, false)
	if err := os.WriteFile(string(memory), []byte("\x7fELF, but no object file"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := newProgram(t, loopHead+"int main(void)\n{\n  region();\n  return 0;\n}\n", 0, ProgramOptions{}, Subject{})
	if _, err := other.Builder.Build(t.Context(), Job{Source: other.source}); err == nil {
		t.Error("the driver was compiled again")
	}
}

// The parts of a driver that functions share are the same text for all of them, and the parts
// together are the source file.
func TestDriversShareTheirCore(t *testing.T) {
	t.Parallel()
	var core string
	for _, function := range []scop.Function{multiply, {Name: "f"}, {Name: "g", Result: "double"}} {
		driver, err := GenerateDriver(function, DriverOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if core == "" {
			core = driver.Parts[0]
		}
		if driver.Parts[0] != core {
			t.Errorf("%s: its core is another one", function.Name)
		}
		if !strings.HasPrefix(driver.Source, core) || !strings.HasSuffix(driver.Source, lastLines(driver.Parts[1], 20)) {
			t.Errorf("%s: the parts are not those of the source file", function.Name)
		}
		if len(driver.Parts[1]) > len(core)/2 {
			t.Errorf("%s: what is compiled anew has %d bytes beside %d", function.Name, len(driver.Parts[1]), len(core))
		}
	}
}

// lastLines are the last n lines of a text.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "")
}

// The second driver of another function takes the core that is kept: without it, nothing is built.
func TestCoreIsCompiledOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{})
	memory := objectOf(builder.options.Toolchain, builder.options.Harness.Companion().Parts[0], builder.flags(Job{}))
	if memory == "" {
		t.Skip("gcc is a script or has another name here: it compiles each time")
	}
	build(t, builder, multiplyOriginal, false)
	if err := os.WriteFile(string(memory), []byte("\x7fELF, but no object file"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := newBuilder(t, gcc(t), scop.Function{Name: "f"}, DriverOptions{})
	if _, err := other.Build(t.Context(), Job{Source: "void f(void) {}\n"}); err == nil {
		t.Error("the core was compiled again")
	}
}
