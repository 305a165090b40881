package language

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"polytune/algorithm"
	"polytune/internal/kerneltest"
)

var update = flag.Bool("update", false, "write the goldens")

// programs are algorithms by what they show: each method and feature, and each thing that can be
// wrong.
var programs = []struct {
	what string
	make func(f *algorithm.Function)
}{
	{"blur", func(f *algorithm.Function) {
		f.Input("in", algorithm.Float32, "N", "M")
		f.Computation("bx[i, j]", algorithm.Float32, "0 <= i < N and 0 <= j < M - 2", "(in(i, j) + in(i, j + 1) + in(i, j + 2)) / 3")
		f.Computation("by[i, j]", algorithm.Float32, "0 <= i < N - 2 and 0 <= j < M - 2", "(bx(i, j) + bx(i + 1, j) + bx(i + 2, j)) / 3")
		f.Output("by", "N", "M")
		f.Schedule("original\nparallel by.i")
	}},
	{"all types, a constant, functions and a scalar", func(f *algorithm.Function) {
		f.Constant("G", algorithm.Float64, "9.81")
		f.Input("x", algorithm.Float64)
		f.Extern("act", algorithm.Float64, "act.h", algorithm.Float64)
		for k, t := range []algorithm.Type{algorithm.Int8, algorithm.Int16, algorithm.Int32, algorithm.Int64, algorithm.Uint8, algorithm.Uint16, algorithm.Uint32, algorithm.Uint64, algorithm.Bool} {
			name := fmt.Sprintf("v%d", k)
			f.Computation(name+"[i]", t, "0 <= i < N", algorithm.Cast(t, "i % 2"))
			f.Output(name, "N")
		}
		f.Computation("w[i]", algorithm.Float64, "0 <= i < N", "act(sqrt(abs(x * G))) + abs(i - 3) + select(v8(i) && i > 2 || !v8(i), 1, (v2(i) << 1 & 6) | 1)")
		f.Output("w", "N")
	}},
	{"a domain that is no box, strides and negative subscripts", func(f *algorithm.Function) {
		f.Computation("a[i, j]", algorithm.Float64, "-2 <= i < N and i <= j < i + 5", "i + j")
		f.Computation("b[i]", algorithm.Float64, "0 <= i < N and i mod 3 = 1", "a(i - 2, i - 2) + a(i - 3, i)")
		f.Computation("c[i]", algorithm.Float64, "0 <= i < N and (i < 3 or i > 7)", "i")
		f.Output("b", "N")
		f.Output("c", "N")
	}},
	{"updates, conditions, and subscripts that depend on data", func(f *algorithm.Function) {
		f.Input("key", algorithm.Int32, "N")
		f.Input("A", algorithm.Float64, "N")
		f.Computation("h[b]", algorithm.Float64, "0 <= b < M", "0.0")
		f.Update("h[i]: h(key(i))", "0 <= i < N", "h(key(i)) + A(i)")
		f.Where("h_1", "A(i) > 0.5")
		f.Update("A[i]", "0 <= i < N", "A(i) * 2.0")
		f.Output("h", "M")
	}},
	{"in place", func(f *algorithm.Function) {
		f.Input("image", algorithm.Uint8, "N")
		f.Computation("ring[i]", algorithm.Uint8, "1 <= i < N - 1", "uint8((image(i - 1) + image(i + 1)) / 2)")
		f.Computation("result[i]", algorithm.Uint8, "1 <= i < N - 2", "uint8(ring(i) / 2 + ring(i + 1) / 2)")
		f.InPlace("image", "result")
	}},
	{"together", func(f *algorithm.Function) {
		f.Input("start", algorithm.Float64, "N")
		f.Computation("a[t, i]", algorithm.Float64, "0 <= t < M and 0 <= i < N", "select(t == 0, start(i), b(t - 1, i))")
		f.Computation("b[t, i]", algorithm.Float64, "0 <= t < M and 0 <= i < N", "a(t, i) * 2.0")
		f.Together("t", "a", "b")
		f.Output("b", "M", "N")
	}},
	{"together, with other inner loops, and in inner loops", func(f *algorithm.Function) {
		f.Input("L", algorithm.Float64, "N", "N")
		f.Input("y", algorithm.Float64, "N")
		f.Computation("x[i]", algorithm.Float64, "0 <= i < N", "y(i)")
		f.Update("x[i, j]", "0 <= i < N and 0 <= j < i", "x(i) - L(i, j) * x(j)")
		f.Update("x[i]", "0 <= i < N", "x(i) / L(i, i)")
		f.Together("i", "x_1", "x_2")
		f.Output("x", "N")
		f.Computation("p[i, j]", algorithm.Float64, "0 <= i < N and 1 <= j < N", "select(j > 2 and i % 2 == 0, q(i, j - 1), L(i, j))")
		f.Computation("q[i, j]", algorithm.Float64, "0 <= i < N and 2 <= j < N and i mod 2 = 0", "p(i, j) * 0.5")
		f.Together("j", "p", "q")
		f.Output("q", "N", "N")
	}},
	{"a number without subscripts", func(f *algorithm.Function) {
		f.Input("A", algorithm.Float64, "N")
		f.Computation("sum", algorithm.Float64, "", "0.0")
		f.Update("sum[i]", "0 <= i < N", "sum + A(i)")
		f.Output("sum")
	}},

	{"a domain in pieces, which small sizes have not", func(f *algorithm.Function) {
		f.Computation("s[i, j]", algorithm.Int32, "0 <= i < M - 2 and 0 <= j < N and (i < 2 or i > 4)", "i")
		f.Computation("a[i]", algorithm.Float64, "0 <= i < N", "i")
		f.Output("a", "N")
	}},
	{"integers without subscripts", func(f *algorithm.Function) {
		f.Computation("half", algorithm.Int32, "", "N / 2")
		f.Computation("unused", algorithm.Uint8, "", "3")
		f.Computation("a[i]", algorithm.Float64, "0 <= i < N", "half + i")
		f.Output("a", "N")
	}},
	{"functions in front of a number without subscripts", func(f *algorithm.Function) {
		f.Input("A", algorithm.Float64, "N")
		f.Input("v", algorithm.Int16, "N")
		f.Computation("a[i]", algorithm.Float64, "0 <= i < N", "abs(A(i)) + abs(i) + abs(v(i) - 3)")
		f.Computation("front", algorithm.Float64, "", "a(0)")
		f.Output("front")
	}},

	{"wrong: a read outside of a domain", func(f *algorithm.Function) {
		f.Computation("a[i]", algorithm.Float64, "0 <= i < N", "i")
		f.Computation("b[i]", algorithm.Float64, "0 <= i < N", "a(i + 1)")
		f.Output("b", "N")
	}},
	{"wrong: a read outside of an input", func(f *algorithm.Function) {
		f.Input("a", algorithm.Float64, "N")
		f.Computation("b[i]", algorithm.Float64, "0 <= i < N", "a(i - 1) + select(i > 0, a(i - 1), 0)")
		f.Output("b", "N")
	}},
	{"wrong: too early", func(f *algorithm.Function) {
		f.Computation("a[i]", algorithm.Float64, "0 <= i < N", "b(i)")
		f.Computation("b[i]", algorithm.Float64, "0 <= i < N", "i")
		f.Output("a", "N")
	}},
	{"wrong: a cycle without an order", func(f *algorithm.Function) {
		f.Computation("a[t, i]", algorithm.Float64, "0 <= t < M and 0 <= i < N", "select(t > 0, b(t - 1, i), 1.0)")
		f.Computation("b[t, i]", algorithm.Float64, "0 <= t < M and 0 <= i < N", "a(t, i) * 2.0")
		f.Output("b", "M", "N")
	}},
	{"wrong: a place that is taken", func(f *algorithm.Function) {
		f.Input("a", algorithm.Float64, "N")
		f.Computation("b[i]", algorithm.Float64, "0 <= i < N", "select(i > 0, a(i - 1), 0)")
		f.InPlace("a", "b")
	}},
	{"wrong: names", func(f *algorithm.Function) {
		f.Description().Name = "random"
		for _, name := range []string{"for", "mod", "S3", "sqrt", "1a", "N", "float32", "_x", "class", "malloc", "asm", "unix", "nullptr"} {
			f.Input(name, algorithm.Float64, "N")
		}
		f.Computation("x[i]", algorithm.Float64, "0 <= i < N", "i")
		f.Computation("x[i]", algorithm.Float64, "0 <= i < N", "i")
	}},
	{"wrong: types and expressions", func(f *algorithm.Function) {
		f.Input("a", algorithm.Float64, "N")
		f.Computation("x1[i]", algorithm.Int32, "0 <= i < N", "a(i)")
		f.Computation("x2[i]", algorithm.Float64, "0 <= i < N", "a(i) % 2")
		f.Computation("x3[i]", algorithm.Float64, "0 <= i < N", "a(a(i))")
		f.Computation("x4[i]", algorithm.Float64, "0 <= i < N", "a(i, i)")
		f.Computation("x5[i]", algorithm.Float64, "0 <= i < N", "q(i)")
		f.Computation("x6[i]", algorithm.Float64, "0 <= i < N", "a + 1")
		f.Computation("x7[i]", algorithm.Float64, "0 <= i < N", "k")
		f.Computation("x8[i]", algorithm.Float64, "0 <= i < N", "sqrt(1, 2)")
		f.Computation("x9[i]", algorithm.Float64, "0 <= i < N", "i +")
		f.Constant("c", algorithm.Float64, "a(0)")
		f.Input("e", algorithm.Float64, "a")
	}},
	{"wrong: domains", func(f *algorithm.Function) {
		f.Computation("x1[i]", algorithm.Float64, "0 <= i < K", "i")
		f.Computation("x2[i]", algorithm.Float64, "0 <= i", "i")
		f.Computation("x3[i]", algorithm.Float64, "0 <= i < N }", "i")
		f.Computation("x4[i]", algorithm.Float64, "0 <= i < and", "i")
	}},
	{"wrong: iterators and types", func(f *algorithm.Function) {
		f.Computation("x[i, i]", algorithm.Float64, "0 <= i < N", "i")
		f.Computation("y[N]", algorithm.Float64, "0 <= i < N", "i")
	}},
	{"wrong: a type", func(f *algorithm.Function) { f.Input("x", "half", "N") }},
	{"wrong: declarations", func(f *algorithm.Function) {
		f.Input("a", algorithm.Float64, "N")
		f.Computation("x[i]", algorithm.Float64, "0 <= i < N", "a(i)")
		f.Where("x", "a(i) > 0")
		f.Where("y", "a(i) > 0")
		f.Output("y", "N")
		f.Output("a", "N")
		f.Update("x", "0 <= i < N", "1")
		f.Update("z[i]", "0 <= i < N", "1")
		f.InPlace("b", "x")
		f.Together("i", "x", "a")
		f.Extern("g", algorithm.Float64, "")
	}},
	{"wrong: an output that is too small", func(f *algorithm.Function) {
		f.Computation("x[i]", algorithm.Float64, "0 <= i < N", "i")
		f.Output("x", "N - 1")
	}},
	{"wrong: no result", func(f *algorithm.Function) { f.Computation("x[i]", algorithm.Float64, "0 <= i < N", "i") }},
	{"wrong: nothing", func(f *algorithm.Function) {}},
}

// place are lines of this file in messages.
var place = regexp.MustCompile(`[^ \n(]*language_test\.go:\d+(:\d+)?`)

// TestPrograms compares the C of programs, and what is said of wrong ones, with the golden file;
// -update writes it.
func TestPrograms(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, p := range programs {
		f := algorithm.New("f", "N", "M")
		p.make(f)
		made, err := Compile(f.Description())
		fmt.Fprintf(&b, "=== %s\n", p.what)
		if err != nil {
			b.WriteString(place.ReplaceAllString(err.Error(), "main.go") + "\n")
		} else {
			b.Write(made.Source)
		}
		if (err != nil) != strings.HasPrefix(p.what, "wrong") {
			t.Errorf("%s: %v", p.what, err)
		}
	}
	kerneltest.Golden(t, filepath.Join("testdata", "programs.golden"), b.String(), *update)
}
