package benchmarks

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// execution is what one kernel did at size mini: the sizes and scalars, the
// types of the arrays' elements, and the arrays before and after it in
// row-major order.
type execution struct {
	sizes         map[string]int
	scalars       map[string]float64
	types         map[string]string
	before, after map[string][]float64
}

// The long test has the warnings that need analyses of optimising compilers, too.
func TestKernelsCompileWithoutWarnings(t *testing.T) {
	optimisation := "-O0"
	if os.Getenv("POLYTUNE_LONG") != "" {
		optimisation = "-O1"
	}
	for _, b := range All() {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			command := exec.Command("gcc", "-std=gnu11", optimisation, "-Wall", "-Wextra", "-Werror",
				"-Wno-unknown-pragmas", "-x", "c", "-c", "-o", os.DevNull, "-")
			command.Stdin = bytes.NewReader(b.Source)
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("gcc: %v\n%s", err, out)
			}
		})
	}
}

// TestKernelsStayInBounds runs every kernel under gcc's address and undefined
// behaviour sanitizers at size mini, at mini with its values in the opposite
// order, and with all parameters 0, 1, 2 and 3.
func TestKernelsStayInBounds(t *testing.T) {
	if _, err := executions(); err != nil {
		t.Fatal(err)
	}
}

func TestKernelsComputeSomethingFinite(t *testing.T) {
	runs, err := executions()
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range runs {
		changed := false
		for array, after := range run.after {
			changed = changed || !slices.Equal(after, run.before[array])
			for i, value := range after {
				if math.IsNaN(value) || math.IsInf(value, 0) {
					t.Errorf("%s: element %d of %s is %v", name, i, array, value)
					break
				}
			}
		}
		if !changed {
			t.Errorf("%s changes no array", name)
		}
	}
}

// alike are the arrays whose elements cannot all differ before the kernel
// runs, and why.
var alike = map[string]string{
	"polybench/nussinov seq":   "there are four bases",
	"polybench/nussinov table": "no pairs are known",
}

// TestDataTellElementsApart asks that most elements of an initial array differ
// from each other, so that a wrong subscript shows in the results.
func TestDataTellElementsApart(t *testing.T) {
	runs, err := executions()
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range runs {
		for array, values := range run.before {
			distinct := map[float64]bool{}
			for _, v := range values {
				distinct[v] = true
			}
			reason, known := alike[name+" "+array]
			if want := min(len(values), 400) / 2; (len(distinct) < want) != known {
				t.Errorf("%s: %d elements of %s have %d values, exception %q", name, len(values), array, len(distinct), reason)
			}
		}
	}
}

// executions builds one program of all kernels with sanitizers, runs it and
// returns what each did at size mini.
var executions = sync.OnceValues(func() (map[string]execution, error) {
	directory, err := os.MkdirTemp("", "benchmarks-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory)
	source := filepath.Join(directory, "all.c")
	program := filepath.Join(directory, "all")
	text, err := driver()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		return nil, err
	}
	build := exec.Command("gcc", "-std=gnu11", "-O0", "-g", "-Wall", "-Wextra", "-Werror",
		"-Wno-unknown-pragmas", "-fsanitize=address,undefined", "-fno-sanitize=vla-bound",
		"-fno-sanitize-recover=all", "-I.", "-o", program, source, "-lm")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gcc: %w\n%s", err, out)
	}
	var out, stderr bytes.Buffer
	run := exec.Command(program)
	run.Stdout, run.Stderr = &out, &stderr
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, &stderr)
	}
	return readExecutions(&out)
})

// driver is a C program that runs every kernel at several sizes and writes the
// arrays before and after the run at size mini to its standard output.
func driver() (string, error) {
	var functions, calls strings.Builder
	for i, b := range All() {
		prefix := "kernel" + strconv.Itoa(i)
		fmt.Fprintf(&functions, "#define %s %s\n#define %s %s_init\n#include %q\n#undef %s\n#undef %s\n",
			b.Function(), prefix, b.InitFunction(), prefix, b.File, b.Function(), b.InitFunction())
		args, err := arguments(b.Source, b.Function())
		if err != nil {
			return "", err
		}
		functions.WriteString(runFunction(b, prefix, args))
		var mini []int
		for _, p := range b.Parameters {
			mini = append(mini, b.Sizes["mini"][p])
		}
		call(&calls, prefix, mini, true)
		slices.Reverse(mini)
		call(&calls, prefix, mini, false)
		for all := range 4 {
			call(&calls, prefix, slices.Repeat([]int{all}, len(mini)), false)
		}
	}
	return driverHead + functions.String() + "int main(void)\n{\n" + calls.String() + "    return 0;\n}\n", nil
}

const driverHead = `#include <stdio.h>
#include <stdlib.h>

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        exit(2);
    return memory;
}

/* Writes the elements as numbers of type double, whatever their own type. */
#define DUMP(type, array, elements)                                            \
    do {                                                                       \
        const type *dumped_array = (array);                                    \
        for (size_t dumped_index = 0; dumped_index < (elements); dumped_index++) { \
            double value = (double)dumped_array[dumped_index];                 \
            if (fwrite(&value, sizeof value, 1, stdout) != 1)                  \
                exit(2);                                                       \
        }                                                                      \
    } while (0)

`

// runFunction is a C function that allocates the arrays of b, exactly as many
// elements as their extents say, and runs the kernel on them.
func runFunction(b Benchmark, prefix string, args []argument) string {
	var names, allocations, dumps, frees strings.Builder
	for _, p := range b.Parameters {
		fmt.Fprintf(&names, ", int %s", p)
	}
	var values []string
	for _, a := range args {
		switch {
		case a.extents != nil:
			elements := "(size_t)(" + strings.Join(a.extents, ") * (") + ")"
			fmt.Fprintf(&allocations, "    void *%s = allocate(%s * sizeof(%s));\n", a.name, elements, a.ctype)
			fmt.Fprintf(&dumps, "    if (dumped)\n        DUMP(%s, %s, %s);\n", a.ctype, a.name, elements)
			fmt.Fprintf(&frees, "    free(%s);\n", a.name)
			values = append(values, a.name)
		case a.ctype == "int":
			values = append(values, a.name)
		default:
			values = append(values, strconv.FormatFloat(b.Scalars[a.name], 'g', -1, 64))
		}
	}
	list := strings.Join(values, ", ")
	return fmt.Sprintf("static void %s_run(int dumped%s)\n{\n%s    %s_init(%s);\n%s    %s(%s);\n%s%s}\n\n",
		prefix, &names, &allocations, prefix, list, &dumps, prefix, list, &dumps, &frees)
}

func call(out *strings.Builder, prefix string, values []int, dumped bool) {
	flag := 0
	if dumped {
		flag = 1
	}
	fmt.Fprintf(out, "    %s_run(%d", prefix, flag)
	for _, v := range values {
		fmt.Fprintf(out, ", %d", v)
	}
	out.WriteString(");\n")
}

// readExecutions reads what the driver wrote.
func readExecutions(data *bytes.Buffer) (map[string]execution, error) {
	runs := map[string]execution{}
	for _, b := range All() {
		args, err := arguments(b.Source, b.Function())
		if err != nil {
			return nil, err
		}
		run := execution{sizes: b.Sizes["mini"], scalars: b.Scalars, types: map[string]string{},
			before: map[string][]float64{}, after: map[string][]float64{}}
		for _, arrays := range []map[string][]float64{run.before, run.after} {
			for _, a := range args {
				if a.extents == nil {
					continue
				}
				elements, err := a.elements(run.sizes)
				if err != nil {
					return nil, fmt.Errorf("%s: array %s: %w", b.Name, a.name, err)
				}
				values := make([]float64, elements)
				if err := binary.Read(data, binary.NativeEndian, values); err != nil {
					return nil, fmt.Errorf("%s: array %s: %w", b.Name, a.name, err)
				}
				arrays[a.name], run.types[a.name] = values, a.ctype
			}
		}
		runs[b.Name] = run
	}
	if data.Len() != 0 {
		return nil, fmt.Errorf("%d bytes too many", data.Len())
	}
	return runs, nil
}
