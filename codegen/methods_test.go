package codegen

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// mostMethods is the largest number of methods of a type here.
const mostMethods = 40

// No type has everything hang on it.
func TestMethods(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	receiver, methods := regexp.MustCompile(`(?m)^func \(\w+ \*?(\w+)\)`), map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range receiver.FindAllSubmatch(text, -1) {
			methods[string(m[1])]++
		}
	}
	for name, count := range methods {
		if count > mostMethods {
			t.Errorf("%s has %d methods, %d are enough", name, count, mostMethods)
		}
	}
}
