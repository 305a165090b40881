package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/runner"
	"polytune/scop"
)

// subject is a kernel that peers work on.
type subject struct {
	benchmark benchmarks.Benchmark
	region    *frontend.Region
	size      string
	// parameters are the values of the size, by name.
	parameters map[string]int
}

// newSubject reads a built-in kernel.
func newSubject(b benchmarks.Benchmark, size string) (*subject, error) {
	parameters, err := b.Size(size)
	if err != nil {
		return nil, err
	}
	file, err := frontend.Parse(b.File, b.Source, frontend.Options{KernelName: b.Name})
	if err != nil {
		return nil, err
	}
	return &subject{b, &file.Regions[0], size, parameters}, nil
}

// maker makes the C file that a peer's compiler gets of a kernel.
type maker func(ctx context.Context, s *subject) (string, error)

// asWritten is the kernel's own file.
func asWritten(_ context.Context, s *subject) (string, error) { return string(s.benchmark.Source), nil }

// told is the kernel's file with its function compiled once more for the
// parameters' values, and with the promise that arrays do not overlap: what a
// compiler that sees the whole of a PolyBench program knows.
func told(_ context.Context, s *subject) (string, error) {
	function := s.region.Program.Function
	var declared, general, special, conditions []string
	for _, a := range function.Arguments {
		declared = append(declared, declaration(a))
		general = append(general, a.Name)
		if value, isSize := s.parameters[a.Name]; isSize {
			special = append(special, strconv.Itoa(value))
			conditions = append(conditions, fmt.Sprintf("%s == %d", a.Name, value))
		} else {
			special = append(special, a.Name)
		}
	}
	const inner = "peers_kernel"
	return fmt.Sprintf(`#define %[1]s static inline __attribute__((always_inline)) %[2]s
%[3]s
#undef %[1]s
void %[1]s(%[4]s)
{
    if (%[5]s)
        %[2]s(%[6]s);
    else
        %[2]s(%[7]s);
}
`, function.Name, inner, s.benchmark.Source, strings.Join(declared, ", "), strings.Join(conditions, " && "),
		strings.Join(special, ", "), strings.Join(general, ", ")), nil
}

// declaration is an argument as C declares it, restrict where it is an array.
func declaration(a scop.Argument) string {
	text, qualifier := a.Type+" "+a.Name, "restrict "
	for _, extent := range a.Extents {
		text += "[" + qualifier + extent + "]"
		qualifier = ""
	}
	return text
}

//go:embed blas
var blasFiles embed.FS

// blasBody is what a kernel's region is with calls of a BLAS library; known is
// false where the libraries have no operations for it.
func blasBody(b benchmarks.Benchmark) (body string, known bool) {
	calls, err := blasFiles.ReadFile("blas/" + b.Kernel() + ".c")
	if err != nil {
		return "", false
	}
	prototypes, err := blasFiles.ReadFile("blas/cblas.h")
	return string(prototypes) + string(calls), err == nil
}

// errNoOperation says that a library has nothing for a kernel.
var errNoOperation = errors.New("no operation of the library does this")

// withBLAS is the kernel's file with calls of a library as its region.
func withBLAS(_ context.Context, s *subject) (string, error) {
	body, known := blasBody(s.benchmark)
	if !known {
		return "", errNoOperation
	}
	return s.replaced(body), nil
}

// replaced is the kernel's file with other statements as its region.
func (s *subject) replaced(body string) string {
	source := string(s.benchmark.Source)
	return source[:s.region.PragmaStart] + "{\n" + body + "}\n" + source[s.region.PragmaEnd:]
}

// temporaryFolder makes a folder, which the caller removes.
func temporaryFolder() (string, error) {
	folder, err := os.MkdirTemp("", "peers-")
	if err != nil {
		return "", fmt.Errorf("no working directory (set TMPDIR to a writable one): %w", err)
	}
	return folder, nil
}

// transformLimit bounds what a tool may take for one kernel.
const transformLimit = 10 * time.Minute

// pluto is the kernel's file after polycc with some flags.
func pluto(polycc string, flags []string) maker {
	return func(ctx context.Context, s *subject) (string, error) {
		folder, err := temporaryFolder()
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(folder)
		if err := os.WriteFile(filepath.Join(folder, "kernel.c"), s.benchmark.Source, 0o600); err != nil {
			return "", err
		}
		argv := append([]string{polycc, "kernel.c", "-o", "kernel.pluto.c"}, flags...)
		if _, err := execute(ctx, folder, transformLimit, argv); err != nil {
			return "", err
		}
		text, err := os.ReadFile(filepath.Join(folder, "kernel.pluto.c"))
		if err != nil {
			return "", fmt.Errorf("polycc made no file: %w", err)
		}
		return string(text), nil
	}
}

// outputLimit is how long a generated file may be, in bytes.
const outputLimit = 64 << 20

// execute runs a tool and returns what it prints. An exit status that is not 0
// nor one of the accepted ones is an error, which has the tool's messages.
func execute(ctx context.Context, folder string, limit time.Duration, argv []string, accepted ...int) (string, error) {
	outcome, err := runner.Execute(ctx, runner.Command{Argv: argv, Dir: folder, Limit: limit, OutputLimit: outputLimit})
	switch {
	case err != nil:
		return "", err
	case ctx.Err() != nil:
		return "", ctx.Err()
	case outcome.TimedOut:
		return "", fmt.Errorf("%s took more than %v", filepath.Base(argv[0]), limit)
	case !outcome.OK() && !slices.Contains(accepted, outcome.ExitCode):
		return "", fmt.Errorf("%s failed with exit status %d: %s", filepath.Base(argv[0]), outcome.ExitCode, strings.TrimSpace(string(outcome.Stderr)))
	}
	return string(outcome.Stdout), nil
}
