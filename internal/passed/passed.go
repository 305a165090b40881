// Package passed spares tests a compiler's work that shows nothing new: a table beside the tests
// names, by hashes, the programs that were built and ran as they should, of this text, with these
// options and by this compiler. Code that changes by one character is built and run again, and so is
// everything in long tests, and with another compiler.
//
// # Where to find what
//
//   - tables of what tests have built and found right: passed.go
package passed

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Table are the names that a file has, and those that were noted since it was read.
type Table struct {
	path  string
	known map[string]bool

	mutex sync.Mutex
	noted map[string]bool
}

// Read has what the file at the path names. Where it is to be refreshed, and in long tests, nothing
// is known.
func Read(path string, refresh bool) (*Table, error) {
	t := &Table{path: path, known: map[string]bool{}, noted: map[string]bool{}}
	content, err := os.ReadFile(path)
	if refresh || os.Getenv("POLYTUNE_LONG") != "" {
		return t, nil
	}
	for _, name := range strings.Fields(string(content)) {
		t.known[name] = true
	}
	return t, err
}

// Name is what a table calls these parts.
func Name(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%d %s\n", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Has says that the table has the name, which counts as noted then, or that it was noted.
func (t *Table) Has(name string) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.known[name] {
		t.noted[name] = true
	}
	return t.noted[name]
}

// Spares is Has but for one name in sixteen, always the same ones: what builds, runs and compares is
// tested as well.
func (t *Table) Spares(name string) bool {
	return t.Has(name) && !strings.HasPrefix(name, "0")
}

// Note notes a name.
func (t *Table) Note(name string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.noted[name] = true
}

// Write makes a file of the names that were noted.
func (t *Table) Write() error {
	names := []string{}
	for name := range t.noted {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for i, name := range names {
		b.WriteString(name)
		b.WriteString(map[bool]string{true: "\n", false: " "}[i%5 == 4 || i == len(names)-1])
	}
	return os.WriteFile(t.path, []byte(b.String()), 0o666)
}

// Tests is what TestMain of such a package does: it reads the flags and the tables of the files, gives
// them to begin, and runs the tests. refresh is the flag that has the files written anew.
func Tests(m *testing.M, refresh *bool, begin func(tables []*Table), paths ...string) int {
	flag.Parse()
	var tables []*Table
	for _, path := range paths {
		t, err := Read(path, *refresh)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		tables = append(tables, t)
	}
	begin(tables)
	return Main(m, *refresh, tables...)
}

// Main runs the tests of a package that has such tables and gives their exit status. Where all tests
// ran, passed and refresh the files, what they noted is written.
func Main(m *testing.M, refresh bool, tables ...*Table) int {
	code := m.Run()
	if code != 0 || !refresh || flag.Lookup("test.run").Value.String() != "" {
		return code
	}
	for _, t := range tables {
		if err := t.Write(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return code
}

// Compiler says which gcc builds the programs of tests; "" where there is none.
var Compiler = sync.OnceValue(func() string {
	version, _ := exec.Command("gcc", "-dumpfullversion").Output()
	return string(version)
})
