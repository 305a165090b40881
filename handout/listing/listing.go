// Package listing shows what variants are made of: their recipes, their code beside the original, and
// the machine code of their hot loop.
package listing

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"polytune/codegen"
	"polytune/configs"
	"polytune/handout"
	"polytune/internal/ctext"
	"polytune/pipeline"
	"polytune/report/live"
	"polytune/runner"
	"polytune/schedule"
	"polytune/store"
	"polytune/target/registry"
)

// Source tells what the variants of a database are made of.
type Source struct {
	// DB has the recipes. Settings say which compiler shows machine code.
	DB       *store.Store
	Settings configs.Settings
	// Options and Arguments name what the user has asked for, whose code can be shown; that of built-in
	// benchmarks always can.
	Options   pipeline.Options
	Arguments []string

	// making is held by the one who makes code.
	making sync.Mutex
}

// patience is how long a request waits for the end of timings on this machine, which the making of
// code would disturb.
const patience = 20 * time.Second

// Code tells what a variant of a kernel is made of, by their IDs. What cannot be shown is left out, and
// a note says why.
func (s *Source) Code(ctx context.Context, kernel, variant string) (*live.Code, error) {
	stored, found, err := s.DB.FindVariant(ctx, kernel, withoutCompiler(variant))
	if err == nil && !found {
		stored, found, err = s.DB.FindVariant(ctx, kernel, variant)
	}
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("the database has no variant %s of this kernel", variant)
	}
	code := &live.Code{Recipe: stored.Recipe}
	s.making.Lock()
	defer s.making.Unlock()
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	lock, err := runner.LockBuilding(waiting, nil)
	if err != nil {
		code.Notes = append(code.Notes, "a tuner is timing on this machine, which making the code would disturb: ask again when it is through")
		return code, nil
	}
	defer lock.Unlock()
	if err := s.make(ctx, kernel, stored, code); err != nil {
		code.Notes = append(code.Notes, err.Error())
	}
	return code, nil
}

// withoutCompiler is the ID of a variant without the compiler that has built it.
func withoutCompiler(variant string) string {
	id, _ := store.SplitVariant(variant)
	return id
}

// make makes the code of a variant and of the original, and finds the hot loop.
func (s *Source) make(ctx context.Context, kernel string, v store.Variant, code *live.Code) error {
	t, options, err := s.target(ctx, kernel)
	if err != nil {
		return err
	}
	code.Original = t.Region.AsWritten(t.File.Source)
	t.Unit.NamesLoops = true
	placed, err := handout.Place(ctx, t, store.Best{Variant: v})
	if err != nil {
		return fmt.Errorf("the code of the variant cannot be made from its recipe: %w", err)
	}
	first, named := t.Region.PragmaStart, placed.Code(t)
	var loops []string
	code.Variant, loops = codegen.NamedLoops(named)
	placed.Source = ctext.Splice(placed.Source, first, first+len(named), code.Variant)
	if placed.Device != nil {
		code.Notes = append(code.Notes, "its kernels run on a device, whose machine code objdump does not show")
		return nil
	}
	place := place{function: t.Unit.Program.Function.Name, first: 1 + strings.Count(string(placed.Source[:first]), "\n")}
	place.last = place.first + strings.Count(code.Variant, "\n")
	if code.Loop, code.Compiler, err = s.hotLoop(ctx, t, options, placed.Source, place); err != nil {
		code.Notes = append(code.Notes, err.Error())
	}
	return tellLoops(code, placed, loops)
}

// tellLoops says of instructions from which loops of the schedule they are, by the lines of the code,
// and which lines of the recipe have made these.
func tellLoops(code *live.Code, placed handout.Placed, loops []string) error {
	if placed.Recipe == nil {
		return nil
	}
	makers, err := placed.Recipe.Makers(placed.Program)
	if err != nil {
		return err
	}
	lines := linesOf(code.Recipe)
	if len(lines) != len(placed.Recipe) { // it has parts that stand elsewhere
		code.Recipe = placed.Recipe.Text(placed.Program)
		lines = linesOf(code.Recipe)
	}
	for k := range code.Loop {
		i := &code.Loop[k]
		if i.Line == 0 || i.Line > len(loops) {
			continue
		}
		i.Loop = loops[i.Line-1]
		for _, command := range makers[i.Loop] {
			i.Recipe = append(i.Recipe, lines[command])
		}
	}
	return nil
}

// linesOf are the numbers of the lines of a recipe that hold its commands, in order.
func linesOf(recipe string) (lines []int) {
	for number := range schedule.Lines(recipe) {
		lines = append(lines, number)
	}
	return lines
}

// target finds the source of a kernel: among what the user named, or as a built-in benchmark.
func (s *Source) target(ctx context.Context, kernel string) (*pipeline.Target, *pipeline.Options, error) {
	name, err := s.DB.KernelName(ctx, kernel)
	if err != nil {
		return nil, nil, err
	}
	for _, reassociate := range []bool{s.Options.Reassociate, !s.Options.Reassociate} {
		for _, benchmark := range []bool{false, true} {
			options, arguments := s.Options, s.Arguments
			options.Reassociate = reassociate
			if benchmark {
				options.Bench, arguments = name, nil
			}
			if len(arguments) == 0 && options.Bench == "" {
				continue
			}
			targets, err := options.All(arguments)
			if err != nil {
				continue // no benchmark has the name; what the user named was read before
			}
			for _, t := range targets {
				if id, err := t.Hash(&options); err == nil && (id.ID == kernel || id.Earlier == kernel) {
					return t, &options, nil
				}
			}
		}
	}
	return nil, nil, fmt.Errorf("the source of %s is not known here; tune report FILE --serve with the flags of its session shows its code", name)
}

// hotLoop compiles the program and finds the hot loop of the variant.
func (s *Source) hotLoop(ctx context.Context, t *pipeline.Target, options *pipeline.Options, source []byte, at place) ([]live.Instruction, string, error) {
	objdump, err := exec.LookPath("objdump")
	if err != nil {
		return nil, "", fmt.Errorf("objdump, which shows machine code, is not on PATH; it is one of the GNU binutils")
	}
	toolchain, err := runner.FindToolchain(ctx, registry.Default().Toolchains(s.Settings)[0])
	if err != nil {
		return nil, "", err
	}
	folder, err := os.MkdirTemp("", "tune-listing-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "variant.c")
	if err := os.WriteFile(path, source, 0o600); err != nil {
		return nil, "", err
	}
	arguments := slices.Concat(toolchain.Flags, options.CompilerArguments(), []string{"-g", "-c", path, "-o", path + ".o"})
	if t.Path != "" {
		arguments = append(arguments, "-iquote", filepath.Dir(t.Path))
	}
	if _, err := s.execute(ctx, toolchain.Path, arguments...); err != nil {
		return nil, "", fmt.Errorf("its machine code cannot be shown: %w", err)
	}
	listing, err := s.execute(ctx, objdump, "-d", "-l", "--no-show-raw-insn", path+".o")
	if err != nil {
		return nil, "", fmt.Errorf("its machine code cannot be shown: %w", err)
	}
	at.file = path
	loop := hottest(parse(string(listing), at))
	if loop == nil {
		return nil, "", fmt.Errorf("no loop is found in its machine code")
	}
	return loop, toolchain.Name + " " + toolchain.Version, nil
}

// longestListing bounds what objdump may say, in bytes.
const longestListing = 64 << 20

// execute runs a command and gives what it prints.
func (s *Source) execute(ctx context.Context, program string, arguments ...string) ([]byte, error) {
	outcome, err := runner.Execute(ctx, runner.Command{
		Argv: append([]string{program}, arguments...), Limit: s.Settings.Limits.Build(), OutputLimit: longestListing,
	})
	if err != nil {
		return nil, err
	}
	if !outcome.OK() {
		first, _, _ := strings.Cut(strings.TrimSpace(string(outcome.Stderr)), "\n")
		return nil, fmt.Errorf("%s failed: %s", filepath.Base(program), first)
	}
	return outcome.Stdout, nil
}
