package frontend

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"polytune/scop"
)

// named has a name in each place where a program has some: sizes, an iterator, arrays, subscripts that
// depend on data, and a temporary.
const named = `void f(int size, int from, int index[size], double values[size], double sums[size])
{
  double held;
#pragma scop
  for (int at = from; at < size; at++) {
    values[index[at]] += sums[at];
    held = sums[at] * size;
    sums[at] = held + values[from];
  }
#pragma endscop
}
`

// strangeNames are words of isl, of our own texts for it and of code, and letters that isl does not
// read.
var strangeNames = strings.Fields(`any0 any1 any9 tune_e0 tune_tune_x tune_ tune_any0 min MAX floor mod and not exists
	infty rat true NaN S0 S1 i0 e0 t c0 any any0_ é caf$ iterator k`)

// What things are called changes nothing of what is read and written. A size with the name of an
// unknown subscript was that subscript, so that dependences were lost.
func TestNames(t *testing.T) {
	t.Parallel()
	roles := []string{"size", "from", "index", "values", "sums", "held", "at"}
	word := regexp.MustCompile(`[\pL_$][\pL\d_$]*`)
	read := func(names map[string]string) *scop.Program {
		source := word.ReplaceAllStringFunc(named, func(w string) string {
			if to, is := names[w]; is {
				return to
			}
			return w
		})
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Fatalf("%v, of\n%s", err, source)
		}
		return file.Regions[0].Program
	}
	want := read(nil)
	for k := range strangeNames {
		names := map[string]string{}
		for role, name := range roles {
			names[name] = strangeNames[(k+role)%len(strangeNames)]
		}
		if got, want := meaning(read(names)), meaning(want); got != want {
			t.Errorf("with the names %v the program is\n%s\nand not\n%s", names, got, want)
		}
	}
}

// meaning is what a program's statements do, with names of its own for parameters, arrays and
// iterators.
func meaning(p *scop.Program) string {
	names := map[string]string{}
	for k, name := range p.Parameters {
		names[name] = fmt.Sprint("parameter", k)
	}
	for k := range p.Arrays {
		names["-> "+p.Arrays[k].Name+"["] = fmt.Sprintf("-> array%d[", k)
	}
	word := regexp.MustCompile(`(-> )?[A-Za-z_]\w*\[?`)
	var text strings.Builder
	write := func(relation string) {
		text.WriteString(word.ReplaceAllStringFunc(relation, func(w string) string {
			if to, is := names[w]; is {
				return to
			}
			return w
		}) + "\n")
	}
	for k := range p.Statements {
		s := &p.Statements[k]
		tuple, _, _ := strings.Cut(s.Domain[strings.Index(s.Domain, s.Name+"[")+len(s.Name)+1:], "]")
		names[tuple] = "iterator"
		write(s.Domain)
		for _, a := range s.Accesses {
			fmt.Fprint(&text, a.Read, a.Write, a.May, " ")
			write(a.Relation)
		}
		delete(names, tuple)
	}
	return text.String()
}
