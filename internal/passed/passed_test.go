package passed

import (
	"path/filepath"
	"strconv"
	"testing"
)

// A table has what was noted before it was written, and nothing else; one that is refreshed, or that
// a long test reads, has nothing.
func TestTable(t *testing.T) {
	t.Setenv("POLYTUNE_LONG", "")
	path := filepath.Join(t.TempDir(), "passed")
	if _, err := Read(path, false); err == nil {
		t.Error("no error without a file")
	}
	first, err := Read(path, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, parts := range [][]string{{"a", "b"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}} {
		name := Name(parts...)
		if first.Has(name) {
			t.Errorf("%s is known before it is noted", parts)
		}
		first.Note(name)
	}
	if err := first.Write(); err != nil {
		t.Fatal(err)
	}
	second, err := Read(path, false)
	if err != nil || !second.Has(Name("a", "b")) || !second.Has(Name("g")) || second.Has(Name("ab")) || second.Has(Name("a", "b", "")) {
		t.Errorf("%v, %v", second.known, err)
	}
	if err := second.Write(); err != nil {
		t.Fatal(err)
	}
	third, err := Read(path, false)
	if err != nil || len(third.known) != 2 {
		t.Errorf("%v: what is not used any more stays; %v", third.known, err)
	}
	for _, refresh := range []bool{true, false} {
		t.Setenv("POLYTUNE_LONG", map[bool]string{true: "", false: "1"}[refresh])
		if anew, err := Read(path, refresh); err != nil || len(anew.known) != 0 {
			t.Errorf("refresh %t: %v, %v", refresh, anew.known, err)
		}
	}
}

// Most names are spared their programs, some are not.
func TestSpares(t *testing.T) {
	table, err := Read(filepath.Join(t.TempDir(), "passed"), true)
	if err != nil {
		t.Fatal(err)
	}
	spared := 0
	for k := range 1000 {
		name := Name("text", strconv.Itoa(k))
		if table.Spares(name) {
			t.Fatalf("%d is spared, and nothing is known", k)
		}
		table.Note(name)
		if table.Spares(name) {
			spared++
		}
	}
	if spared < 900 || spared == 1000 {
		t.Errorf("%d of 1000 are spared", spared)
	}
}
