package codegen

import (
	"os"
	"os/exec"
	"path/filepath"
	"polytune/internal/ctext"
	"runtime"
	"strings"
	"testing"
)

const dispatched = `#define file no
#include <stdio.h>
int main(void)
{
  int chosen = -1;
#pragma scop
  chosen = 0;
#pragma endscop
  printf("%d\n", chosen);
  return 0;
}`

// TestDispatch compiles a program with alternatives for machines and runs it
// where the system tells different things.
func TestDispatch(t *testing.T) {
	cores := runtime.NumCPU()
	d := NewDispatcher([]Machine{
		{"m1", "", "Intel(R) Xeon(R) Processor @ 2.50GHz", cores},
		{"m2", "big \"one\"??/", "Intel(R) Xeon(R) Processor @ 2.50GHz", cores + 50},
		{"m3", "", "implementer 0x41 part 0xd0c", 1},
		{"m4", "", "POWER9, altivec supported", 1},
		{"m5", "", "", 1},
	}, map[string]bool{"tune_machine_list": true})
	choice := d.Choice([]Alternative{{[]int{1, 4}, "  chosen = 14;\n"}, {nil, "never;"}, {[]int{2}, "  chosen = 2;"}, {[]int{3, 5}, "  chosen = 35;\n\n"}}, "  chosen = 0;\n", "  ")
	start, end := strings.Index(dispatched, "#pragma scop"), strings.Index(dispatched, "  printf")
	source, err := d.Complete(ctext.Splice([]byte(dispatched), start, end, choice), "#line 1 \"d.c\"\n")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path, program := filepath.Join(folder, "d.c"), filepath.Join(folder, "d")
	information := filepath.Join(folder, "cpuinfo")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(path, string(source))
	for _, standard := range []string{"-std=c99", "-std=gnu11"} {
		output(t, nil, "gcc", standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-DPOLYTUNE_MACHINE_CPUINFO=\""+information+"\"", path, "-o", program)
	}
	for _, c := range []struct{ name, information, wanted, want string }{
		{"x86", "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\nmodel name\t:  Intel(R)  Xeon(R)\tProcessor @ 2.50GHz \nflags\t\t: " + strings.Repeat("sse ", 2000) + "\n", "", "14"},
		{"arm", "processor : 0\nCPU implementer : 0x41\nCPU variant : 0x3\nCPU part\t: 0xd0c\n", "", "35"},
		{"power", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\ncpu MHz : 3\n", "", "14"},
		{"another one", "model name\t: AMD EPYC\n", "", "0"},
		{"the beginning of a name", "model name\t: Intel(R) Xeon(R)\n", "", "0"},
		{"by name", "model name\t: AMD EPYC\n", "big \"one\"??/", "2"},
		{"by id", "", "m3", "35"},
		{"by an unknown id", "model name\t: Intel(R) Xeon(R) Processor @ 2.50GHz\n", "m9", "0"},
	} {
		write(information, c.information)
		var environment []string
		if c.wanted != "" {
			environment = []string{"POLYTUNE_MACHINE=" + c.wanted}
		}
		if got := output(t, environment, program); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
	if err := os.Remove(information); err != nil {
		t.Fatal(err)
	}
	if got := output(t, nil, program); got != "0" {
		t.Errorf("where the system tells nothing: %s; want 0", got)
	}
}

// output is what a program prints.
func output(t *testing.T, environment []string, argv ...string) string {
	t.Helper()
	command := exec.Command(argv[0], argv[1:]...)
	command.Env = append(os.Environ(), environment...)
	text, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, text)
	}
	return strings.TrimSpace(string(text))
}
