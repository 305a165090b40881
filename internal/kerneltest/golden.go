package kerneltest

import (
	"os"
	"testing"
)

// Golden compares a text with that of a file, which it writes first where that is to be refreshed.
func Golden(t testing.TB, path, got string, refresh bool) {
	t.Helper()
	if refresh {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
