package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"polytune/runner"
)

// generated is what was made of a checkout of Tiramisu.
type generated struct {
	// archive has the functions of all programs.
	archive string
	// halide is the folder of Halide's headers.
	halide string
	// version says which Tiramisu it is, and with what it was built.
	version string
	// failures has, by kernel, why a program's generator made nothing.
	failures map[string]string
}

// howToGet says what is needed for this comparison.
const howToGet = "git clone https://github.com/Tiramisu-Compiler/tiramisu, without its submodules, and give its folder as TIRAMISU; " +
	"it is built with Debian's g++, libhalide14-0-dev and libisl-dev"

// checkout is the folder of Tiramisu's sources while its programs are made.
type checkout struct {
	folder, work string
	halide       string
	linked       string
}

// halides are where Halide's headers are, with what links its library.
var halides = []struct{ folder, linked string }{
	{"/usr/include/halide14", "-lHalide14"}, {"/usr/include", "-lHalide"}, {"/usr/local/include", "-lHalide"},
}

// sourcesOfTiramisu are its own files in the list of its CMake.
var sourcesOfTiramisu = regexp.MustCompile(`\btiramisu_\w+\.cpp\b`)

// isCheckout says what is wrong with a folder that should have Tiramisu's sources.
func isCheckout(folder string) error {
	for _, name := range []string{"src/CMakeLists.txt", "include/tiramisu/core.h", "benchmarks/benchmarks.h"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("-tiramisu: %s is not a checkout of Tiramisu: it has no %s (%s)", folder, name, howToGet)
		}
	}
	return nil
}

// generate builds Tiramisu in a folder of its own, and with it the programs for some kernels.
func generate(ctx context.Context, o options, work string) (generated, error) {
	g := generated{failures: map[string]string{}}
	subjects, err := o.subjects()
	if err != nil {
		return g, err
	}
	if len(subjects) == 0 {
		return g, fmt.Errorf("-tiramisu: Tiramisu has no program for -kernels %s; -kernels tiramisu are those that it has", o.kernels)
	}
	folder, err := filepath.Abs(o.tiramisu)
	if err != nil {
		return g, err
	}
	c := checkout{folder: folder, work: work}
	for _, h := range halides {
		if _, err := os.Stat(filepath.Join(h.folder, "Halide.h")); err == nil {
			g.halide, c.halide, c.linked = h.folder, "-I"+h.folder, h.linked
			break
		}
	}
	if g.halide == "" {
		return g, errors.New("-tiramisu: there is no Halide.h; " + howToGet)
	}
	if g.version, err = c.version(ctx); err != nil {
		return g, err
	}
	if err := c.build(ctx); err != nil {
		return g, fmt.Errorf("Tiramisu cannot be built: %w", err)
	}
	g.archive = filepath.Join(work, "libtheirs.a")
	for _, s := range subjects {
		p := theirProgram(s.benchmark.Kernel())
		fmt.Fprintf(os.Stderr, "peers: %s Tiramisu's %s\n", time.Now().Format(time.TimeOnly), p.name())
		if err := c.program(ctx, p, o.size, g.archive); err != nil {
			g.failures[p.name()] = strings.ReplaceAll(err.Error(), work, "")
		}
	}
	if _, err := os.Stat(g.archive); err != nil {
		return g, fmt.Errorf("none of Tiramisu's programs can be made; the first failed so: %s", g.failures[subjects[0].benchmark.Kernel()])
	}
	return g, ctx.Err()
}

// version is the commit of the sources.
func (c *checkout) version(ctx context.Context) (string, error) {
	text, err := execute(ctx, c.folder, buildLimit, []string{"git", "log", "-1", "--format=%h of %cs"})
	if err != nil {
		text = "unknown"
	}
	return "Tiramisu, commit " + strings.TrimSpace(text) + ", with " + strings.TrimPrefix(c.linked, "-l"), ctx.Err()
}

// compile is the compiler with all flags for Tiramisu's files.
func (c *checkout) compile(arguments ...string) []string {
	argv := []string{"g++", "-std=c++17", "-O0", "-w", "-fPIC", "-march=native"}
	return append(append(argv, c.halide, "-I"+filepath.Join(c.folder, "include")), arguments...)
}

// inFront is a file that comes in front of all others.
const inFront = "prelude.h"

// build compiles the compiler itself.
func (c *checkout) build(ctx context.Context) error {
	for _, name := range []string{inFront, "halide_image_io.h"} {
		text, err := tiramisuFiles.ReadFile("tiramisu/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(c.work, name), text, 0o600); err != nil {
			return err
		}
	}
	list, err := os.ReadFile(filepath.Join(c.folder, "src", "CMakeLists.txt"))
	if err != nil {
		return err
	}
	if _, err := execute(ctx, c.work, transformLimit, c.compile("-x", "c++-header", inFront)); err != nil {
		return err
	}
	link := []string{"g++", "-shared", "-o", "libtiramisu.so"}
	for _, name := range sourcesOfTiramisu.FindAllString(string(list), -1) {
		fmt.Fprintf(os.Stderr, "peers: %s %s\n", time.Now().Format(time.TimeOnly), name)
		object := filepath.Join(c.work, name+".o")
		argv := c.compile("-include", inFront, "-c", filepath.Join(c.folder, "src", name), "-o", object)
		if _, err := execute(ctx, c.work, transformLimit, argv); err != nil {
			return err
		}
		link = append(link, object)
	}
	_, err = execute(ctx, c.work, transformLimit, append(link, c.linked, "-lisl", "-lpthread", "-ldl"))
	return err
}

// program makes the functions of one program and adds them to an archive.
func (c *checkout) program(ctx context.Context, p *theirs, size, archive string) error {
	folder := filepath.Join(c.work, p.name())
	if err := c.copyOf(p, folder); err != nil {
		return err
	}
	argv := c.compile("-include", "../"+inFront, "-I.", "-I..", filepath.Base(p.Generator), "-o", "generator")
	argv = append(argv, "-L..", "-Wl,-rpath,"+c.work, "-ltiramisu", c.linked, "-lisl", "-lpthread", "-ldl")
	if _, err := execute(ctx, folder, transformLimit, argv); err != nil {
		return err
	}
	sizes := []string{""}
	if p.Fixed {
		sizes = append(slices.Clone(checkSizes), size)
	}
	slices.Sort(sizes)
	for _, one := range slices.Compact(sizes) {
		if err := p.generate(ctx, folder, one); err != nil {
			return err
		}
		object := p.symbol(one) + ".o"
		if err := p.rename(ctx, folder, object, p.symbol(one)); err != nil {
			return err
		}
		if _, err := execute(ctx, folder, buildLimit, []string{"ar", "rcs", archive, object}); err != nil {
			return err
		}
	}
	return nil
}

// rename copies the object file of a program, with other names for its function and for its pieces,
// whose names begin with that.
func (p *theirs) rename(ctx context.Context, folder, object, symbol string) error {
	names, err := execute(ctx, folder, buildLimit, []string{"nm", "-g", "--defined-only", "--format=just-symbols", p.Object})
	if err != nil {
		return err
	}
	argv := []string{"objcopy"}
	for _, name := range strings.Fields(names) {
		if rest, isOwn := strings.CutPrefix(name, p.Function); isOwn {
			argv = append(argv, "--redefine-sym", name+"="+symbol+rest)
		}
	}
	_, err = execute(ctx, folder, buildLimit, append(argv, p.Object, object))
	return err
}

// generate runs a generator for a size, "" where its program is for all sizes.
func (p *theirs) generate(ctx context.Context, folder, size string) error {
	environment := os.Environ()
	for _, name := range slices.Sorted(maps.Keys(p.Sizes[size])) {
		environment = append(environment, name+"="+strconv.Itoa(p.Sizes[size][name]))
	}
	outcome, err := runner.Execute(ctx, runner.Command{Argv: []string{"./generator"}, Dir: folder, Env: environment, Limit: transformLimit, OutputLimit: outputLimit})
	switch {
	case err != nil:
		return err
	case !outcome.OK():
		return fmt.Errorf("it failed with exit status %d: %s", outcome.ExitCode, strings.ReplaceAll(strings.TrimSpace(string(outcome.Stderr)), "\n", "; "))
	}
	if _, err := os.Stat(filepath.Join(folder, p.Object)); err != nil {
		return fmt.Errorf("it wrote no %s", p.Object)
	}
	return nil
}

// copyOf copies a generator and the headers that it includes into a folder, with the edits.
func (c *checkout) copyOf(p *theirs, folder string) error {
	if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(p.Object)), 0o700); err != nil {
		return err
	}
	headers, err := filepath.Glob(filepath.Join(c.folder, filepath.Dir(p.Generator), "*.h"))
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, path := range append(headers, filepath.Join(c.folder, "benchmarks", "benchmarks.h"), filepath.Join(c.folder, p.Generator)) {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed := string(text)
		for _, e := range p.Edits {
			used[e.From] = used[e.From] || strings.Contains(changed, e.From)
			changed = strings.ReplaceAll(changed, e.From, e.To)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(path)), []byte(changed), 0o600); err != nil {
			return err
		}
	}
	for _, e := range p.Edits {
		if !used[e.From] {
			return fmt.Errorf("%s has no text %q, which stands for its size", p.Generator, e.From)
		}
	}
	return nil
}
