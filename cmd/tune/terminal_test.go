package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo terminal: what is typed there, and what a program has shown.
type terminal struct {
	*os.File
	program *os.File
	mutex   sync.Mutex
	text    strings.Builder
}

// newTerminal opens one.
func newTerminal(t *testing.T) *terminal {
	t.Helper()
	file, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals: %v", err)
	}
	t.Cleanup(func() { file.Close() })
	if err := unix.IoctlSetPointerInt(int(file.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("there are no pseudo terminals: %v", err)
	}
	number, err := unix.IoctlGetInt(int(file.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals: %v", err)
	}
	t.Cleanup(func() { program.Close() })
	made := &terminal{File: file, program: program}
	go made.watch()
	return made
}

// watch notes what is shown.
func (p *terminal) watch() {
	buffer := make([]byte, 1<<12)
	for {
		n, err := p.Read(buffer)
		p.mutex.Lock()
		p.text.Write(buffer[:n])
		p.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

// shown is what is there so far.
func (p *terminal) shown() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.text.String()
}

// In a terminal tune schedule completes commands and names by the tabulator key, lists those that
// fit, brings lines back by the arrow keys, and goes on behind a line that it cannot do.
func TestTerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const source = "void f(int n, double a[n][n], double b[n][n])\n{\n#pragma scop\n  for (int row = 0; row < n; row++)\n    for (int column = 0; column < n; column++)\n      a[row][column] += b[column][row];\n#pragma endscop\n}\n"
	if err := os.WriteFile(filepath.Join(folder, "f.c"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newTerminal(t)
	c, _, stderr := tuneCommand(folder, "schedule", "f.c")
	c.Stdin, c.Stdout = p.program, p.program
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ keys, wants string }{
		{"", "> "},
		{"orig\t\r", "legal"},
		{"parallel S0.row.x\r", `there is no loop "S0.row.x"`},
		{"\x1b[A\x1b[A\r", "original"},
		{"int\tS0.\t", "S0.row S0.column"},
		{"r\t S0.c\t\r", "legal"},
	} {
		before := len(p.shown())
		if _, err := p.WriteString(step.keys); err != nil {
			t.Fatal(err)
		}
		if !await(func() bool { return strings.Contains(p.shown()[before:], step.wants) }) {
			t.Fatalf("%q: %q lacks %q (%s)", step.keys, p.shown()[before:], step.wants, stderr)
		}
	}
	if _, err := p.WriteString("show\r\x04"); err != nil {
		t.Fatal(err)
	}
	const recipe = "original\r\ninterchange S0.row S0.column\r\n"
	if err := c.Wait(); err != nil || !await(func() bool { return strings.Contains(p.shown(), recipe) }) {
		t.Errorf("%v: %q", err, p.shown())
	}
}
