package language

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGoPrograms builds and runs programs of which something is wrong, in folders without a module:
// the message names the file, and says what to do.
func TestGoPrograms(t *testing.T) {
	mostRunning = time.Second
	defer func() { mostRunning = 20 * time.Second }()
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"compile": {"x := algorithm.New(1)", []string{"does not compile", "main.go:6:"}},
		"package": {"_ = gone.X", []string{"does not compile", "without a network"}},
		"nothing": {"_ = algorithm.New", []string{"prints nothing", "algorithm.Main(f)"}},
		"other":   {`println(algorithm.Version); print2("hello")`, []string{`prints "hello"`, "os.Stderr"}},
		"twice":   {`f := algorithm.New("f"); algorithm.Main(f); print2("more")`, []string{`prints "more" behind`}},
		"ends":    {"_ = algorithm.New; for {}", []string{"runs for more than 1s"}},
		"fails":   {`panic(algorithm.New("f").Description().Name)`, []string{"fails", "main.go:6"}},
		"empty":   {`algorithm.Main(algorithm.New("f", "N"))`, []string{"main.go:6: f computes nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			more := ""
			if name == "package" {
				more = "; import \"example.org/gone\""
			}
			text := "package main\n\nimport \"polytune/algorithm\"" + more + "\n\nfunc main() {\n" + test.body + "\n}\n"
			if strings.Contains(test.body, "print2") {
				text = strings.Replace(text, "\n\nfunc", "; import \"fmt\"\nvar print2 = fmt.Println\nfunc", 1)
			}
			path := filepath.Join(folder, "main.go")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Read(context.Background(), path)
			if err == nil {
				t.Fatal("it is taken")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the message lacks %q: %v", want, err)
				}
			}
		})
	}
}

// TestMessageOfPage has the page show what is said of its program with another read.
func TestMessageOfPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/algorithms.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```go\n")
	program, rest, _ := strings.Cut(rest, "```\n")
	_, message, _ := strings.Cut(rest, "\n    main.go:")
	message, _, found := strings.Cut(message, "\n")
	path := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(path, []byte(strings.Replace(program, "bx(i + 2, j)", "bx(i + 3, j)", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Read(context.Background(), path)
	if err == nil || !found || !strings.HasSuffix(err.Error(), "main.go:"+message) {
		t.Errorf("the page says %q, and it is %v", message, err)
	}
}

// TestGoModules builds a program in a module of its own that has another package.
func TestGoModules(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.org/mine\n\ngo 1.22\n",
		"sizes/s.go":   "package sizes\n\nconst Name = \"N\"\n",
		"blur/main.go": "package main\n\nimport (\n\t\"example.org/mine/sizes\"\n\t\"polytune/algorithm\"\n)\n\nfunc main() {\n\tf := algorithm.New(\"f\", sizes.Name)\n\tf.Computation(\"a[i]\", algorithm.Float32, \"0 <= i < N\", \"i\")\n\tf.Output(\"a\", \"N\")\n\talgorithm.Main(f)\n}\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Read(context.Background(), filepath.Join(folder, "blur"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Path != filepath.Join(folder, "blur", "main.go") || !strings.Contains(string(p.Source), "a[i] = i;") {
		t.Errorf("%s has\n%s", p.Path, p.Source)
	}
}
