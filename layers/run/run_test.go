package run

import (
	"bytes"
	little "encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/isl"
	"polytune/scop"
)

// few are kernels of the short test: sums, a stencil in place, a triangle, divisions that round down,
// and small integers.
var few = []string{"polybench/gemm", "polybench/seidel-2d", "polybench/trisolv", "tiramisu/edge-detector", "tiramisu/nb"}

// notEvaluated says why a kernel has no value here, by its name.
var notEvaluated = map[string]string{
	"polybench/correlation": setInFront, "polybench/covariance": setInFront, "sc10/correl": setInFront, "sc10/covar": setInFront, "plutoplus/swim": setInFront,
	"polybench/deriche": "function expf", "tiramisu/vgg-block": "function vgg_block_larger",
	"tiramisu/hpcg": hidden, "tiramisu/warp-affine": hidden,
	"plutoplus/lbm-fpc-d2q9": structs, "plutoplus/lbm-ldc-d2q9": structs, "plutoplus/lbm-ldc-d2q9-mrt": structs,
	"plutoplus/lbm-ldc-d3q27": structs, "plutoplus/lbm-poiseuille-d2q9": structs,
}

// The function sets a variable in front of the region; macros, or functions of the file, hide
// references; elements are structs.
const (
	setInFront = "it has no memory"
	hidden     = "does not name each element"
	structs    = "values of type struct"
)

// TestKernels evaluates Layer I of built-in kernels and runs their C: all arrays have the same bits.
func TestKernels(t *testing.T) {
	t.Parallel()
	chosen := map[string]bool{}
	for _, name := range few {
		chosen[name] = true
	}
	isLong := os.Getenv("POLYTUNE_LONG") != ""
	for _, b := range benchmarks.All() {
		if !isLong && !chosen[b.Name] {
			continue
		}
		t.Run(b.Name, func(t *testing.T) { agrees(t, b) })
	}
}

func agrees(t *testing.T, b benchmarks.Benchmark) {
	file, err := frontend.Parse(b.File, b.Source, frontend.Options{KernelName: b.Name})
	if err != nil {
		t.Fatal(err)
	}
	program := file.Regions[0].Program
	values, err := b.Size("mini")
	if err != nil {
		t.Fatal(err)
	}
	before, after := runC(t, string(b.Source), &program.Function, values)
	c := isl.NewContext()
	defer c.Close()
	m, err := program.Model(c)
	if err != nil {
		t.Fatal(err)
	}
	parameters := map[string]int64{}
	for name, v := range values {
		parameters[name] = int64(v)
	}
	got, err := Evaluate(m, parameters, before)
	if err != nil {
		if why := notEvaluated[b.Name]; why != "" && strings.Contains(err.Error(), why) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	for name, want := range after {
		if a := program.Array(name); a != nil && !bytes.Equal(got[name].Bytes, want.Bytes) {
			t.Errorf("%s differs", name)
		}
	}
}

// runC builds the kernel with a main that writes all arrays before and behind the call.
func runC(t *testing.T, source string, f *scop.Function, values map[string]int) (before, after map[string]*Array) {
	t.Helper()
	folder := t.TempDir()
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void)\n{\n", source)
	var arguments []string
	for _, a := range f.Arguments {
		switch a.Role {
		case scop.Size:
			fmt.Fprintf(&text, "%s %s = %d;\n", a.Type, a.Name, values[a.Name])
		case scop.Scalar:
			fmt.Fprintf(&text, "%s %s = 1.25;\n", a.Type, a.Name)
		case scop.Pointer:
			fmt.Fprintf(&text, "const long n_%s = (long) (%s);\n%s *%s = calloc(n_%s, sizeof(%s));\n", a.Name, strings.Join(append(a.Extents, "1"), ") * ("), a.Type, a.Name, a.Name, a.Type)
		}
		arguments = append(arguments, "(void *) "+a.Name)
		if a.Role != scop.Pointer {
			arguments[len(arguments)-1] = a.Name
		}
	}
	list := strings.Join(arguments, ", ")
	if strings.Contains(source, f.Name+"_init(") {
		fmt.Fprintf(&text, "%s_init(%s);\n", f.Name, list)
	}
	for _, call := range []string{"", fmt.Sprintf("%s(%s);\n", f.Name, list)} {
		text.WriteString(call)
		for _, a := range f.Arguments {
			switch a.Role {
			case scop.Scalar:
				fmt.Fprintf(&text, "fwrite(&%s, sizeof %s, 1, stdout);\n", a.Name, a.Name)
			case scop.Pointer:
				fmt.Fprintf(&text, "fwrite(%s, sizeof(%s), n_%s, stdout);\n", a.Name, a.Type, a.Name)
			}
		}
	}
	for _, a := range f.Arguments {
		if a.Role == scop.Pointer {
			for _, e := range a.Extents {
				fmt.Fprintf(&text, "{ long e = %s; fwrite(&e, sizeof e, 1, stdout); }\n", e)
			}
		}
	}
	text.WriteString("return 0;\n}\n")
	path := filepath.Join(folder, "kernel.c")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-w", "-ffp-contract=off", path, "-o", path+".run", "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	printed, err := exec.Command(path + ".run").Output()
	if err != nil {
		t.Fatal(err)
	}
	return split(t, printed, f, values)
}

// split takes what the C program has written apart: all arrays twice, then their extents.
func split(t *testing.T, printed []byte, f *scop.Function, values map[string]int) (before, after map[string]*Array) {
	t.Helper()
	extents, count := map[string][]int64{}, 0
	for _, a := range f.Arguments {
		if a.Role == scop.Pointer {
			count += len(a.Extents)
		}
	}
	rest := printed[len(printed)-8*count:]
	for _, a := range f.Arguments {
		if a.Role != scop.Pointer {
			continue
		}
		for range a.Extents {
			extents[a.Name] = append(extents[a.Name], int64(little.LittleEndian.Uint64(rest)))
			rest = rest[8:]
		}
	}
	all := [2]map[string]*Array{{}, {}}
	for n := range all {
		for _, a := range f.Arguments {
			if a.Role == scop.Size {
				continue
			}
			size := a.Size
			if a.Role == scop.Scalar {
				size = map[string]int{"float": 4, "double": 8}[a.Type]
			}
			for _, e := range extents[a.Name] {
				size *= int(e)
			}
			all[n][a.Name] = &Array{extents[a.Name], printed[:size]}
			printed = printed[size:]
		}
	}
	return all[0], all[1]
}
