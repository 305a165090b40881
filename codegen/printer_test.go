package codegen

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What threads, lanes and compilers are told has types (loopir.Threads, Lanes, …). The words for it
// are for the printer alone.
func TestWordsOfPrinter(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	comments, words := regexp.MustCompile(`(?m)^\s*//.*$|\s// .*$`), regexp.MustCompile(`#pragma|_Pragma|\bomp\b|omp_|__builtin|__attribute__`)
	printer, ranks := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(file, "_test.go"):
		case strings.HasPrefix(file, "printrank"):
			ranks += strings.Count(string(text), "\n")
		case strings.HasPrefix(file, "print"):
			printer += strings.Count(string(text), "\n")
		default:
			for _, word := range words.FindAllString(comments.ReplaceAllString(string(text), ""), -1) {
				t.Errorf("%s says %q, which is for the printer", file, word)
			}
		}
	}
	if ranks > 370 {
		t.Errorf("the printer of what ranks alone do has %d lines, 370 are enough", ranks)
	}
	if printer > 1000 {
		t.Errorf("the printer has %d lines, 1000 are enough", printer)
	}
}
