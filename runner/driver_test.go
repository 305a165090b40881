package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"polytune/scop"
)

// TestBadKernels runs kernels that go wrong in every way.
func TestBadKernels(t *testing.T) {
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	unused := "(void) NI; (void) NJ; (void) NK; (void) alpha; (void) C; (void) A; (void) B; (void) count; "
	for _, c := range []struct {
		name, statements string
		kind             RunErrorKind
		want             string
	}{
		{"loops for ever", "for (;;) count[0] = 1;", Timeout, "took more than 300ms"},
		{"ignores TERM", "signal(SIGTERM, SIG_IGN); for (;;) count[0] = 1;", Timeout, "killed"},
		{"leaves a child", "if (!fork()) for (;;) pause(); for (;;) pause();", Timeout, "killed"},
		{"segfault", "raise(SIGSEGV);", Crashed, "signal 11"},
		{"abort", "abort();", Crashed, "signal 6"},
		{"exit", "fprintf(stderr, \"bad day\\n\"); exit(5);", Crashed, "exit status 5:\nbad day"},
		{"silent exit", "exit(0);", Invalid, "without a result"},
		{"writes behind", "volatile long j = NI * NJ; C[0][j + 2] = 1.0;", OutOfBounds, "array C: written 16 bytes after its last element"},
		{"writes before", "volatile long j = -1; A[0][j] = 1.0;", OutOfBounds, "array A: written 8 bytes before its first element"},
		{"last element", "count[NI] = 1;", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "#define _GNU_SOURCE\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n" + body(unused+c.statements)
			binary := build(t, builder, source, true)
			request := TimeRequest{RunRequest: multiplyRequest}
			if c.kind == Timeout {
				request.Limit = 300 * time.Millisecond
			}
			_, err := Time(context.Background(), binary, request)
			if c.kind == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var failure *RunError
			if !errors.As(err, &failure) || failure.Kind != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s with %q", err, c.kind, c.want)
			}
		})
	}
}

// Arrays begin at a cache line where they are timed, and nowhere near one where results are
// compared, with guards that reach to their ends.
func TestAlignment(t *testing.T) {
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	of := func(place int) Binary {
		statements := fmt.Sprintf("(void) NK; (void) alpha; (void) A; (void) B; (void) count; if ((unsigned long) C %% 64 != %d) abort();", place)
		return build(t, builder, "#include <stdlib.h>\n"+body(statements+" volatile long j = NI * NJ; C[0][j - 1] = C[0][0];"), true)
	}
	if _, err := Time(context.Background(), of(0), TimeRequest{RunRequest: multiplyRequest}); err != nil {
		t.Error(err)
	}
	dump(t, of(8), multiplyRequest)
	for _, place := range []string{"NI * NJ", "-1"} {
		source := body("(void) NK; (void) alpha; (void) A; (void) B; (void) count; volatile long j = " + place + "; (void) NI; (void) NJ; C[0][j] = 1.0;")
		err := Dump(context.Background(), build(t, builder, source, true), multiplyRequest, filepath.Join(t.TempDir(), "dump"))
		var failure *RunError
		if !errors.As(err, &failure) || failure.Kind != OutOfBounds {
			t.Errorf("a write to element %s: %v", place, err)
		}
	}
}

func TestBadRequests(t *testing.T) {
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	binary := build(t, builder, multiplyOriginal, true)
	for _, c := range []struct {
		name    string
		params  map[string]int
		scalars map[string]float64
		memory  uint64
		kind    RunErrorKind
		want    string
	}{
		{"no value", map[string]int{"NI": 1, "NJ": 1}, nil, 0, Invalid, "no value for NK"},
		{"unknown size", map[string]int{"NI": 1, "NJ": 1, "NK": 1, "N": 1}, nil, 0, Invalid, "no such size or scalar: N=1"},
		{"unknown scalar", map[string]int{"NI": 1, "NJ": 1, "NK": 1}, map[string]float64{"beta": 1}, 0, Invalid, "beta"},
		{"too large for int", map[string]int{"NI": 1 << 40, "NJ": 1, "NK": 1}, nil, 0, Invalid, "NI"},
		{"overflow", map[string]int{"NI": 1 << 30, "NJ": 1 << 40, "NK": 1}, nil, 0, OutOfMemory, "array C"},
		{"memory limit", map[string]int{"NI": 20000, "NJ": 20000, "NK": 1}, nil, 2 << 30, OutOfMemory, "not enough memory for array C"},
	} {
		request := RunRequest{Params: c.params, Scalars: c.scalars, Limit: 20 * time.Second, Memory: c.memory}
		_, err := Time(context.Background(), binary, TimeRequest{RunRequest: request})
		var failure *RunError
		if !errors.As(err, &failure) || failure.Kind != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s with %q", c.name, err, c.kind, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Time(ctx, binary, TimeRequest{RunRequest: multiplyRequest})
	var failure *RunError
	if !errors.As(err, &failure) || failure.Kind != Interrupted {
		t.Errorf("error %v", err)
	}
}

// TestEmptyArrays runs sizes of zero and one.
func TestEmptyArrays(t *testing.T) {
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	original, variant := build(t, builder, multiplyOriginal, true), build(t, builder, multiplyInterchanged, true)
	for _, n := range []int{0, 1} {
		request := multiplyRequest
		request.Params = map[string]int{"NI": n, "NJ": 1, "NK": n}
		if err := Compare(dump(t, original, request), dump(t, variant, request)); err != nil {
			t.Errorf("size %d: %v", n, err)
		}
		if _, err := Time(context.Background(), original, TimeRequest{RunRequest: request}); err != nil {
			t.Errorf("size %d: %v", n, err)
		}
	}
}

// TestInit checks that the initialisation runs before every call and the
// filling before it.
func TestInit(t *testing.T) {
	function := scop.Function{Name: "twice", Arguments: []scop.Argument{
		{Name: "n", Type: "int", Role: scop.Size},
		{Name: "x", Type: "double", Role: scop.Pointer, Extents: []string{"n"}},
		{Name: "y", Type: "double", Role: scop.Pointer, Extents: []string{""}},
	}}
	source := `void twice(int n, double *x, double *y) { for (int i = 0; i < n; i++) { x[i] *= 2; y[i] *= 2; } }
static void twice_init(int n, double *x, double *y) { (void) y; for (int i = 0; i < n; i++) x[i] = i; }
`
	builder := newBuilder(t, gcc(t), function, DriverOptions{HasInit: true, Extents: map[string][]string{"y": {"2*n"}}, Seed: 5})
	binary := build(t, builder, source, true)
	request := TimeRequest{RunRequest: RunRequest{Params: map[string]int{"n": 100}, Limit: time.Minute}, Samples: 3, Warmups: 2}
	timing, err := Time(context.Background(), binary, request)
	if err != nil {
		t.Fatal(err)
	}
	x, y := timing.Fingerprints[0], timing.Fingerprints[1]
	if x.Sum != 9900 || x.Absolute != 9900 || x.Count != 100 {
		t.Errorf("x %+v", x)
	}
	if y.Count != 200 || y.Sum < 0.25*300 || y.Sum > 300 {
		t.Errorf("y %+v", y)
	}
}

// TestStructs fills and compares an array of structs number by number.
func TestStructs(t *testing.T) {
	function := scop.Function{Name: "move", Arguments: []scop.Argument{
		{Name: "n", Type: "int", Role: scop.Size},
		{Name: "p", Type: "struct point", Role: scop.Pointer, Extents: []string{"n"}, Members: []scop.Member{{Path: ".at", Type: "float", Extents: []int{2}}, {Path: ".mass", Type: "double"}}},
	}}
	source := func(factor string) string {
		return `struct point { float at[2]; double mass; };
void move(int n, struct point p[n]) { for (int i = 0; i < n; i++) { p[i].at[0] += 1.0f; p[i].mass *= i == 4 ? ` + factor + ` : 2.0; } }
`
	}
	builder := newBuilder(t, gcc(t), function, DriverOptions{Seed: 3})
	request := RunRequest{Params: map[string]int{"n": 7}, Limit: time.Minute}
	reference := dump(t, build(t, builder, source("2.0"), true), request)
	if err := Compare(reference, dump(t, build(t, builder, source("2.0"), true), request)); err != nil {
		t.Error(err)
	}
	var mismatch *Mismatch
	err := Compare(reference, dump(t, build(t, builder, source("2.5"), true), request))
	if !errors.As(err, &mismatch) || mismatch.Array != "p.mass" || mismatch.Element != "p[4].mass" {
		t.Errorf("%v, want a mismatch in p[4].mass", err)
	}
}

// TestElementTypes fills and dumps one array of each type.
func TestElementTypes(t *testing.T) {
	types := []string{"char", "signed char", "unsigned char", "short", "unsigned short int", "int", "unsigned", "long", "unsigned long",
		"long long", "unsigned long long int", "_Bool", "float", "double", "long double", "size_t", "int8_t", "uint16_t", "int32_t", "uint64_t", "ptrdiff_t"}
	function := scop.Function{Name: "touch"}
	var parameters, statements []string
	for i, name := range types {
		function.Arguments = append(function.Arguments,
			scop.Argument{Name: fmt.Sprintf("s%d", i), Type: name, Role: scop.Size},
			scop.Argument{Name: fmt.Sprintf("a%d", i), Type: name, Role: scop.Pointer, Extents: []string{"3", fmt.Sprintf("s%d", i)}})
		if elementIsFloat(name) {
			function.Arguments[2*i].Role, function.Arguments[2*i].Name = scop.Scalar, fmt.Sprintf("f%d", i)
			function.Arguments[2*i+1].Extents = []string{"3"}
		}
		parameters = append(parameters, fmt.Sprintf("%s %s, %s *a%d", name, function.Arguments[2*i].Name, name, i))
		statements = append(statements, fmt.Sprintf("a%d[0] = a%d[1] + %s;", i, i, function.Arguments[2*i].Name))
	}
	request := RunRequest{Params: map[string]int{}, Limit: time.Minute}
	for _, a := range function.Arguments {
		if a.Role == scop.Size {
			request.Params[a.Name] = 1
		}
	}
	source := func(more string) string {
		return "#include <stddef.h>\n#include <stdint.h>\nvoid touch(" + strings.Join(parameters, ", ") + ")\n{ " + strings.Join(statements, "\n") + more + " }\n"
	}
	builder := newBuilder(t, gcc(t), function, DriverOptions{})
	reference := dump(t, build(t, builder, source(""), true), request)
	if err := Compare(reference, dump(t, build(t, builder, source(""), true), request)); err != nil {
		t.Error(err)
	}
	for i := range types {
		changed := dump(t, build(t, builder, source(fmt.Sprintf("a%d[2] = !a%d[2];", i, i)), true), request)
		var mismatch *Mismatch
		if err := Compare(reference, changed); !errors.As(err, &mismatch) || mismatch.Array != fmt.Sprintf("a%d", i) || !strings.HasPrefix(mismatch.Element, fmt.Sprintf("a%d[2]", i)) || mismatch.Expected == mismatch.Got {
			t.Errorf("%s: %v", types[i], err)
		}
	}
}

func elementIsFloat(name string) bool { kind, _ := elementKind(name); return kind == "f" }

func TestDriverErrors(t *testing.T) {
	array := func(element string, extents ...string) scop.Function {
		return scop.Function{Name: "f", Arguments: []scop.Argument{{Name: "a", Type: element, Role: scop.Pointer, Extents: extents}}}
	}
	for _, c := range []struct {
		function scop.Function
		want     string
	}{
		{array("double", ""), "extent of array a is unknown"},
		{array("struct s", "3"), `type "struct s"`},
		{array("", "3"), "type"},
		{array("double", "3; exit(0)"), "not an integer expression"},
		{array("double", "3 /* x"), "not an integer expression"},
		{scop.Function{Name: "main"}, "function of its own"},
		{scop.Function{Name: "a b"}, "not a C name"},
		{scop.Function{Name: "f", Arguments: []scop.Argument{{Name: "9", Type: "int"}}}, "no proper name"},
		{scop.Function{Name: "f", Arguments: []scop.Argument{{Name: "n", Type: "int", Role: 9}}}, "unknown role"},
	} {
		if _, err := GenerateDriver(c.function, DriverOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestSamplesAreTimes(t *testing.T) {
	for _, c := range []struct {
		report string
		valid  bool
	}{
		{`{"seconds":[0.5]}`, true}, {`{"seconds":[0]}`, false}, {`{"seconds":[-1]}`, false},
		{`{"seconds":[]}`, false}, {`{"seconds":[nan]}`, false}, {`{"seconds":[1`, false}, {"", false},
	} {
		binary := Binary{harness: Driver{}, Path: script(t, "printf '%s' '"+c.report+`' >"$2"`)}
		timing, err := Time(context.Background(), binary, TimeRequest{})
		var failure *RunError
		if c.valid != (err == nil) || err != nil && (!errors.As(err, &failure) || failure.Kind != Invalid) {
			t.Errorf("%s: %v %v", c.report, timing.Seconds, err)
		}
	}
}

func TestRunErrorTexts(t *testing.T) {
	for want, e := range map[string]RunError{
		"the run was interrupted":                  {Kind: Interrupted},
		"signal 11 (segmentation fault)":           {Kind: Crashed, Signal: syscall.SIGSEGV},
		"the run is out-of-memory: array A":        {Kind: OutOfMemory, Detail: "array A"},
		"the run took more than 2s and was killed": {Kind: Timeout, Limit: 2 * time.Second},
	} {
		if !strings.Contains(e.Error(), want) {
			t.Errorf("%q lacks %q", e.Error(), want)
		}
	}
}
