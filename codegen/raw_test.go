package codegen

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rawMakers is the number of places that make code which is still lines of text. It only becomes smaller.
const rawMakers = 13

// What is lines of text no pass can change, no interpreter can run, and no other printer can print: there
// are no new places that make such.
func TestRawMakers(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	maker, count := regexp.MustCompile(`\brawCode\(|loopir\.Raw\{`), 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "fragment.go" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		count += len(maker.FindAll(text, -1))
	}
	if count != rawMakers {
		t.Errorf("%d places make lines of text, %d are known; note it where there are fewer, and make nodes of loopir where there are more", count, rawMakers)
	}
}
