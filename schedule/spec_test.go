package schedule

import (
	"reflect"
	"strings"
	"testing"

	"polytune/scop"
)

// types are those of the fields that kinds of arguments are read into.
var types = map[string]reflect.Type{
	"LOOP": reflect.TypeFor[string](), "NODE": reflect.TypeFor[string](), "ARRAY": reflect.TypeFor[string](),
	"LOOPS": reflect.TypeFor[[]string](), "NODES": reflect.TypeFor[[]string](),
	"NUMBER": reflect.TypeFor[int64](), "COUNT": reflect.TypeFor[int64](), "SIZES": reflect.TypeFor[[]int64](),
	"STATEMENT": reflect.TypeFor[int](), "STATEMENTS": reflect.TypeFor[[]int](), "REFERENCE": reflect.TypeFor[int](),
	"GROUPS": reflect.TypeFor[[][]int](), "ROWS": reflect.TypeFor[[]map[int]Row](), "ROW": reflect.TypeFor[map[int]Row](),
	"EXTENTS": reflect.TypeFor[[]Row](), "CLAUSES": reflect.TypeFor[[]scop.Clause](), "CUT": reflect.TypeFor[scop.Cut](), "ROOM": reflect.TypeFor[scop.Room](),
}

// Each command has the fields that its syntax names, in its order; and its example is written so.
func TestSpecs(t *testing.T) {
	for kind := range kinds {
		if types[kind] == nil {
			t.Errorf("no type of %s is known", kind)
		}
	}
	for name, s := range specs {
		fields := fieldsOf(reflect.ValueOf(s.New()))
		var check func(elements []element)
		check = func(elements []element) {
			for _, e := range elements {
				want := reflect.TypeFor[bool]()
				switch {
				case e.optional != nil && !e.isFlag():
					check(e.optional)
					continue
				case e.kind != "":
					want = types[e.kind]
				case e.other == "" && !e.isFlag():
					continue
				}
				if len(fields) == 0 || want == nil || fields[0].Type() != want {
					t.Fatalf("%s: no field of the type %v for %+v", name, want, e)
				}
				fields = fields[1:]
			}
		}
		check(s.elements)
		if len(fields) > 0 {
			t.Errorf("%s: %d fields more than the syntax %s has arguments", name, len(fields), s.Syntax)
		}
		if word, _, _ := strings.Cut(s.Example, " "); word != name || s.Doc == "" {
			t.Errorf("%s: the example %q, about %q", name, s.Example, s.Doc)
		}
	}
}

// Lines that are not written as the syntax says are errors that say how it is, and no panic.
func TestUsage(t *testing.T) {
	p := gemm()
	for line, want := range map[string]string{
		"tile c0.1":                       "tiling is written: tile LOOPS by SIZES; for example tile c0.1 c0.2 by 32 32",
		"tile by 32":                      "tiling is written",
		"tile c0.1 by x":                  `the size "x" is not a number`,
		"untile c0.1":                     "loops without the source's own over tiles is written: untile",
		"sink":                            "is written: sink LOOP; for example sink c0.2",
		"sink c0.1 c0.2":                  "is written: sink LOOP",
		"threads c0.1 from 0":             "0 is not a number from 1 on",
		"threads c0.1 from 4 of":          "what is too short for several threads is written",
		"threads c0.1 from 4 of Q":        "Q",
		"registers c0.1 by 4 ahead apart": "register blocks is written",
		"registers c0.1 by 4 lanes":       "register blocks is written",
		"relay c0.1 hands c0.2":           "[ahead]",
		"overlap c0.1 by 2":               "a loop in vectors that overlap is written: overlap LOOP [by COUNT] lanes COUNT",
		"pack S0 C[i][j] in c0.1":         "packing is written: pack STATEMENT REFERENCE at|around LOOP",
		"diamond c0.1 S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j]": "one row for each statement, not 2",
		"classes":     "the classes of a partition is written",
		"parallel":    "is written: parallel LOOP CLAUSES",
		"expand":      "is written: expand ROOM",
		"polish c0.1": `there is no command "polish"; there are band, blocks`,
	} {
		if _, err := Parse(p, line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", line, err, want)
		}
	}
}
