package reuse

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// files are what recipes of these tests include.
var files = map[string]string{
	"dir/lib.recipe": "define block S i j by x y\n  tile S.i S.j by x y\n  try vectorize S.j\nend\ndefine both A B i j\n  use block A i j by 4 {8,16}\n  use block B i j by 4 ?\nend\n",
	"dir/loop":       "include \"again\"\n",
	"dir/again":      "include \"loop\"\n",
	"dir/commands":   "original\n",
	"dir/self":       "include \"self\"\n",
}

func read(path string) ([]byte, error) {
	if text, has := files[path]; has {
		return []byte(text), nil
	}
	return nil, os.ErrNotExist
}

// texts are the lines of a recipe with their numbers, and where they stand.
func texts(path, text string) (string, error) {
	lines, err := Lines(path, text, read)
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%d %s %s\n", line.Number, line.Text, line.In)
	}
	return b.String(), err
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing to use", "original # as it is\n\nparallel S0.i\n", "1 original \n3 parallel S0.i \n"},
		{"a definition of a file", "include \"lib.recipe\"\noriginal\nuse block S1 k j by 2 {4, 8}\n",
			"2 original \n3 tile S1.k S1.j by 2 {4, 8} dir/lib.recipe:2\n3 try vectorize S1.j dir/lib.recipe:3\n"},
		{"one that uses another", "include \"lib.recipe\"\nuse both S0 S1 i k\n",
			"2 tile S0.i S0.k by 4 {8,16} dir/lib.recipe:2\n2 try vectorize S0.k dir/lib.recipe:3\n2 tile S1.i S1.k by 4 ? dir/lib.recipe:2\n2 try vectorize S1.k dir/lib.recipe:3\n"},
		{"tile and register loops", "define f S k kt\n parallel S.kt\n unroll S.kr\n unroll S.kk\nend\nuse f S2 i j\nuse f S2 i2 x\n",
			"6 parallel S2.j r:2\n6 unroll S2.ir r:3\n6 unroll S2.kk r:4\n7 parallel S2.x r:2\n7 unroll S2.i2r r:3\n7 unroll S2.kk r:4\n"},
		{"tile loops alone", "define f S k\n parallel S.kt\nend\nuse f S2 i\n", "4 parallel S2.it r:2\n"},
		{"a definition without arguments", "define f\n original\nend\nuse f\n", "4 original r:2\n"},
	} {
		path := "r"
		if strings.Contains(c.text, "include") {
			path = "dir/r"
		}
		if got, err := texts(path, c.text); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"too few arguments", "include \"lib.recipe\"\nuse block S1 k j by 2\n", "dir/r:2: use block S1 k j by 2: block, which dir/lib.recipe:1 defines, is used by: use block S i j by x y"},
		{"in a definition", "define f\n use g\nend\nuse f\n", "dir/r:2: use g: there is no definition of g in front of it; there are f"},
		{"no definition", "use g\n", "dir/r:1: use g: there is no definition of g in front of it"},
		{"no name", "use\n", "dir/r:1: use: a definition is used by: use NAME ARGUMENTS [by NUMBERS]"},
		{"itself", "define f a\n use f a\nend\nuse f S0\n", "dir/r:2: use f a: f uses itself"},
		{"each other", "define f\n use g\nend\ndefine g\n use f\nend\nuse f\n", "dir/r:5: use f: f uses itself"},
		{"twice", "define f\nend\ndefine f\nend\n", "dir/r:3: define f: f is defined in dir/r:1 already"},
		{"one name twice", "define f a by a\nend\n", "dir/r:1: define f a by a: the name a is there twice"},
		{"a number for a name", "define f 1\nend\n", "dir/r:1: define f 1: \"1\" is no name"},
		{"without a name", "define\nend\n", "dir/r:1: define: a definition is written: define NAME ARGUMENTS [by NUMBERS], and ends with end"},
		{"without an end", "define f\noriginal\n", "dir/r:1: define f: the definition of f has no end"},
		{"in each other", "define f\ndefine g\n", "dir/r:2: define g: define stands in the definition of f, which has no end yet"},
		{"an end alone", "end\n", "dir/r:1: end: no definition begins in front of it"},
		{"a missing file", "include \"nowhere\"\n", "dir/r:1: include \"nowhere\": cannot be read: file does not exist"},
		{"no file", "include nowhere\n", "dir/r:1: include nowhere: a file is included by: include \"FILE\""},
		{"a file with commands", "include \"commands\"\n", "dir/commands:1: original: a file that is included has definitions alone; put it between define NAME ARGUMENTS and end"},
		{"a file with itself", "include \"self\"\n", "dir/self:1: include \"self\": dir/self includes itself"},
		{"files with each other", "include \"loop\"\n", "dir/again:1: include \"loop\": dir/loop includes itself"},
		{"very many lines", "define a\n x\n x\n x\n x\nend\n" + doubled(20) + "use a20\n", "the recipe has more than 20000 lines"},
		{"very many uses", "define a\nend\n" + doubled(40) + "use a40\n", "the recipe has more than 20000 uses of definitions"},
	} {
		_, err := texts("dir/r", c.text)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
}

// doubled are definitions a1, a2, …, of which each uses the one before twice; a1 uses a.
func doubled(count int) string {
	var b strings.Builder
	before := "a"
	for k := range count {
		name := fmt.Sprint("a", k+1)
		fmt.Fprintf(&b, "define %s\n use %s\n use %[2]s\nend\n", name, before)
		before = name
	}
	return b.String()
}

// FuzzLines reads arbitrary recipes: there may be an error, and no panic.
func FuzzLines(f *testing.F) {
	for _, text := range []string{"define f a by b\n tile S.a by b\nend\nuse f i by {1,2}\n", "include \"lib.recipe\"\nuse both S0 S1 i j", "end", "use {", "define f by by\nend"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { _, _ = texts("dir/r", text) })
}
