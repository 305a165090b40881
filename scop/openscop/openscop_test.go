package openscop

import (
	"errors"
	"os"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop"
)

// kernels are some of the built-in ones, of different kinds, or all.
func kernels(t *testing.T) (names []string) {
	t.Helper()
	if os.Getenv("POLYTUNE_LONG") == "" {
		return []string{"polybench/gemm", "polybench/trmm", "polybench/seidel-2d", "polybench/nussinov", "polybench/deriche"}
	}
	all := benchmarks.All()
	for k := range all {
		names = append(names, all[k].Name)
	}
	return names
}

// What is written of a kernel is read as the same sets and relations.
func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, name := range kernels(t) {
		for _, region := range kerneltest.File(t, name).Regions {
			checkProgram(t, region.Program)
		}
	}
}

func checkProgram(t *testing.T, p *scop.Program) {
	t.Helper()
	c := isl.NewContext()
	defer c.Close()
	m, err := p.Model(c)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Of(m)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	text := f.Write()
	read, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", p.Name, err, text)
	}
	if again := read.Write(); again != text {
		t.Errorf("%s: written again it is\n%s\nnot\n%s", p.Name, again, text)
	}
	for k := range read.Statements {
		s, model := &read.Statements[k], &m.Statements[k]
		domain := c.ReadSet(s.Domain.Text(model.Name, read.Parameters))
		if equal, err := domain.IsEqual(model.Domain); err != nil || !equal {
			t.Errorf("%s: %s has %s, not %s (%v)", p.Name, model.Name, domain, model.Domain, err)
		}
		scattering := c.ReadMap(s.Scattering.Text(model.Name, read.Parameters))
		if equal, err := scattering.IsEqual(model.Schedule.IntersectParams(scattering.Domain().Params())); err != nil || !equal {
			t.Errorf("%s: %s has %s, not %s (%v)", p.Name, model.Name, scattering, model.Schedule, err)
		}
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
}

// copying is a[i] = b[i].
const copying = `<OpenScop>
# Language
C
# Context
CONTEXT
1 3 0 0 0 1
1 1 -1
1
<strings>
N
</strings>
# Statements
1
3
DOMAIN
2 4 1 0 0 1
1 1 0 0
1 -1 1 -1
SCATTERING
3 7 3 1 0 1
0 -1 0 0 0 0 0
0 0 -1 0 1 0 0
0 0 0 -1 0 0 0
WRITE
2 6 2 1 0 1
0 -1 0 0 0 1
0 0 -1 1 0 0
1
<body>
1
i
a[i] = b[i];
</body>
<scatnames>
b0 i b1
</scatnames>
<loop>
1
i
1
1
(null)
5
</loop>
</OpenScop>
`

func TestParse(t *testing.T) {
	f, err := Parse(copying)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Statements) != 1 || f.Statements[0].Body != "a[i] = b[i];" || f.Statements[0].Line != 14 || strings.Join(f.Times, " ") != "b0 i b1" {
		t.Errorf("%+v", f)
	}
	if len(f.Loops) != 1 || f.Loops[0].Time != "i" || f.Loops[0].Directive != Parallel|Vector {
		t.Errorf("%+v", f.Loops)
	}
}

// Each file that breaks off is an error, and each line that is another one is an error or a file.
func TestBrokenFiles(t *testing.T) {
	all := strings.Split(strings.TrimSuffix(copying, "\n"), "\n")
	for k := range all {
		_, err := Parse(strings.Join(all[:k], "\n"))
		if at := (*Error)(nil); !errors.As(err, &at) || at.Line < 1 || at.Line > k+1 {
			t.Errorf("%d lines: %v", k, err)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"DOMAIN\n2 4", "DOMAIN\n2 5", "line 16: 5 columns are not the 4 of 1 output, 0 input and 0 local dimensions, 1 parameters, and 2"},
		{"1 1 0 0\n", "1 1 0\n", "line 17: a row of DOMAIN has 3 numbers here, not 4"},
		{"1 1 0 0\n", "2 1 0 0\n", "line 17: a row begins with 0, for an equality, or 1, for an inequality, not 2"},
		{"1 1 0 0\n", "1 x 0 0\n", `line 17: "x" is not a number from -1099511627776 to 1099511627776`},
		{"2 4 1 0 0 1", "2 -4 1 0 0 1", "line 16: -4 is not from 0 to 800; the numbers are those of " + properties},
		{"DOMAIN", "DOMAINS", `line 15: "DOMAINS" is no kind of relation; there are CONTEXT, DOMAIN, SCATTERING, READ, WRITE and MAY_WRITE`},
		{"DOMAIN", "CONTEXT", "line 15: a statement has no CONTEXT"},
		{"SCATTERING", "DOMAIN", "line 19: a second DOMAIN of one statement; parts of one stand behind their number"},
		{"SCATTERING", "READ", "line 14: the statement has no SCATTERING"},
		{"N\n", "N M\n", "line 11: there are 2 names of parameters, and 1 parameters in the context"},
		{"3 7 3 1 0 1", "3 7 2 2 0 1", "line 19: SCATTERING has 2 input dimensions, and DOMAIN 1 iterators"},
		{"<body>", "body", `line 29: "body" is no extension, which is written <body> … </body>`},
		{"</body>", "", "line 45: the file ends where </body> is expected"},
		{"<OpenScop>", "SCoP", "line 1: this is a file of ScopLib, the format before OpenScop, which begins with <OpenScop>"},
		{"1\n(null)", "2\n(null)", "line 41: there is no statement 2; there are 1"},
		{"DOMAIN\n", "DOMAIN\n0\n", "line 16: DOMAIN has no part"},
	} {
		if _, err := Parse(strings.Replace(copying, test.from, test.to, 1)); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, not %s", test.to, err, test.want)
		}
	}
}

// FuzzParse looks for texts that the reader panics at, or reads as what is written as something else.
func FuzzParse(f *testing.F) {
	f.Add(copying)
	f.Add(strings.Replace(copying, "DOMAIN\n", "DOMAIN\n1\n", 1))
	f.Fuzz(func(t *testing.T, text string) {
		read, err := Parse(text)
		if err != nil {
			if !errors.As(err, new(*Error)) {
				t.Fatal(err)
			}
			return
		}
		for k := range read.Statements {
			read.Statements[k].Scattering.Text("S", read.Parameters)
		}
	})
}
