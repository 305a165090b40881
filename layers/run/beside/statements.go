package beside

import (
	"bufio"
	little "encoding/binary"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"polytune/layers/run"
	"polytune/scop"
)

// answers has the C program run instances: it reads the statement, its iterators, elements that have
// other bytes for it, and the element that is asked for, and writes that one's bytes. Memory is as it
// was in front of the call afterwards.
const answers = `static void tune_take(void *to, size_t size)
{
    if (fread(to, 1, size, stdin) != size)
        exit(0);
}
static long tune_number(void)
{
    long long number;
    tune_take(&number, sizeof number);
    return number;
}
static void tune_swap(char *a, char *b, long size)
{
    for (long k = 0; k < size; k++) {
        char c = a[k];
        a[k] = b[k], b[k] = c;
    }
}
`

// statement is a C function that runs instances of the statements whose data are arguments, or
// variables of the function's own.
func (s *Source) statement() string {
	var b strings.Builder
	b.WriteString(answers)
	for _, m := range s.variables() {
		fmt.Fprintf(&b, "static %s %s;\n", m.element, m.name)
	}
	fmt.Fprintf(&b, "static void tune_statement(int tune_of, const long *tune_at, %s)\n{\nswitch (tune_of) {\n", s.signature())
	for k := range s.Program.Statements {
		t := &s.Program.Statements[k]
		if slices.ContainsFunc(t.Accesses, func(a scop.Access) bool { return s.index(a.Array) < 0 }) {
			continue
		}
		fmt.Fprintf(&b, "case %d: {\n", k)
		for n := range t.Loops {
			fmt.Fprintf(&b, "const int %s = tune_at[%d];\n", t.Loops[n].Iterator, n)
		}
		fmt.Fprintf(&b, "%s\n} break;\n", t.Source)
	}
	b.WriteString("}\n}\n")
	return b.String()
}

// variables are those of the function's own.
func (s *Source) variables() (list []memory) {
	for k := range s.Program.Arrays {
		a := &s.Program.Arrays[k]
		isArgument := slices.ContainsFunc(s.Program.Function.Arguments, func(of scop.Argument) bool { return of.Name == a.Name })
		if !isArgument && len(a.Extents) == 0 && a.Path == "" && !slices.Contains(s.Globals, a.Name) {
			list = append(list, memory{a.Name, a.Type, a.Size, nil})
		}
	}
	return list
}

// index is the place of an array among those that the program knows by numbers, -1 for none.
func (s *Source) index(name string) int {
	return slices.IndexFunc(s.served(), func(m memory) bool { return m.name == name })
}

// served are the arrays of main, and the variables.
func (s *Source) served() (list []memory) {
	for _, a := range s.Program.Function.Arguments {
		if a.Role == scop.Pointer {
			list = append(list, memory{a.Name, a.Type, a.Size, a.Extents})
		}
	}
	for _, a := range s.Program.Function.Arguments {
		if a.Role == scop.Scalar {
			list = append(list, memory{a.Name, a.Type, a.Size, nil})
		}
	}
	return append(list, s.variables()...)
}

// signature has the function's arguments with their names.
func (s *Source) signature() string {
	var list []string
	for _, a := range s.Program.Function.Arguments {
		text := a.Type + " " + a.Name
		for _, e := range a.Extents {
			text += "[" + e + "]"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// serve is the loop in main that answers for the arrays there, with arguments of the function.
func (s *Source) serve(list string) string {
	var bases []string
	for _, m := range s.served() {
		bases = append(bases, "(char *)"+m.pointer())
	}
	return fmt.Sprintf(`if (argc > 1) {
    char *bases[] = {%s};
    static char bytes[64][1024];
    printf("serving\n");
    fflush(stdout);
    for (;;) {
        long at[32], places[64][3], of = tune_number(), depth = tune_number();
        for (long k = 0; k < depth; k++)
            at[k] = tune_number();
        long reads = tune_number(), all = reads + tune_number();
        for (long k = 0; k < all; k++) {
            for (int n = 0; n < 3; n++)
                places[k][n] = tune_number();
            if (k < reads)
                tune_take(bytes[k], places[k][2]);
            else
                memcpy(bytes[k], bases[places[k][0]] + places[k][1], places[k][2]);
        }
        for (long k = 0; k < reads; k++)
            tune_swap(bases[places[k][0]] + places[k][1], bytes[k], places[k][2]);
        tune_statement(of, at, %s);
        for (long k = reads; k < all; k++)
            fwrite(bases[places[k][0]] + places[k][1], places[k][2], 1, stdout);
        fflush(stdout);
        for (long k = all - 1; k >= 0; k--)
            tune_swap(bases[places[k][0]] + places[k][1], bytes[k], places[k][2]);
    }
}
`, strings.Join(bases, ", "), list)
}

// mostElements bounds the reads and writes of an instance that is asked for.
const mostElements = 64

// Server is a running program of Main's that answers for its first call.
type Server struct {
	source  *Source
	process *exec.Cmd
	ask     io.WriteCloser
	answer  *bufio.Reader
}

// Serve starts the program of a source with Statements.
func (s *Source) Serve(path string) (*Server, error) {
	v := &Server{source: s, process: exec.Command(path, "statements")}
	var err error
	if v.ask, err = v.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := v.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	v.answer = bufio.NewReader(out)
	if err := v.process.Start(); err != nil {
		return nil, err
	}
	for line := ""; line != "serving\n"; {
		if line, err = v.answer.ReadString('\n'); err != nil {
			return nil, fmt.Errorf("%s says nothing: %w", path, err)
		}
	}
	return v, nil
}

// Close ends the program.
func (v *Server) Close() {
	v.ask.Close()
	v.process.Wait()
}

// Statement runs an instance by its text, as run.Options has it.
func (v *Server) Statement(i run.Instance) ([][]byte, error) {
	if len(i.Reads)+len(i.Writes) > mostElements {
		return nil, fmt.Errorf("%d elements are too many", len(i.Reads)+len(i.Writes))
	}
	var b []byte
	put := func(numbers ...int64) {
		for _, n := range numbers {
			b = little.LittleEndian.AppendUint64(b, uint64(n))
		}
	}
	put(int64(i.Statement), int64(len(i.Iterators)))
	put(i.Iterators...)
	put(int64(len(i.Reads)), int64(len(i.Writes)))
	for _, e := range i.Reads {
		put(int64(v.source.index(e.Array)), e.Offset, int64(len(e.Bytes)))
		b = append(b, e.Bytes...)
	}
	written := make([][]byte, len(i.Writes))
	for k, e := range i.Writes {
		written[k] = make([]byte, v.source.Program.Array(e.Array).Size)
		put(int64(v.source.index(e.Array)), e.Offset, int64(len(written[k])))
	}
	if _, err := v.ask.Write(b); err != nil {
		return nil, err
	}
	for _, bytes := range written {
		if _, err := io.ReadFull(v.answer, bytes); err != nil {
			return nil, err
		}
	}
	return written, nil
}
