// Package scripttest writes the programs that tests execute, such as compilers of their own.
//
// # Where to find what
//
//   - compilers and other programs that tests make: scripttest.go
package scripttest

import (
	"os"
	"syscall"
	"testing"
)

// Write makes an executable file, and replaces one that is there by another file.
//
// No process is started meanwhile: until it executes its own program, a child has the files that
// were open here, and a file that some process has open for writing cannot be executed (ETXTBSY,
// "text file busy").
func Write(t testing.TB, path, text string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path+".new", []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}
