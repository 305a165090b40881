package session

import "testing"

// Settings of the environment are part of the command that goes on.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	got := CommandLine([]string{"tune", "a b.c"}, []string{"HOME=/root", "TUNE_THREADS=2", "TUNE_DB=/tmp/my db"})
	if want := "TUNE_DB='/tmp/my db' TUNE_THREADS=2 tune 'a b.c'"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
