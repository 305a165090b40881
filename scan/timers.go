package scan

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/shellwords"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/target/registry"
)

// timersSource has the timers, timersHeader what the files with timers need of them.
//
//go:embed timed/timers.c
var timersSource []byte

//go:embed timed/timers.h
var timersHeader []byte

// byTimers tells time apart by timers around the nests, in a program that is built for it of the
// files and of what --build-flags names, and gets the arguments of the command.
func (r *profiledRun) byTimers(ctx context.Context) (*Profile, error) {
	words, err := shellwords.Split(r.Run)
	if err != nil || len(words) == 0 {
		return nil, unusable("timers need a command of plain words")
	}
	program, nests, err := r.buildTimed(ctx)
	if err != nil {
		return nil, err
	}
	times := filepath.Join(r.folder, "times")
	if err := r.run(ctx, []string{"TUNE_SCAN_TIMES=" + times}, append([]string{program}, words[1:]...)...); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(times)
	if err != nil {
		return nil, unusable("the program did not end by itself, and left no times")
	}
	p := &Profile{By: "timers", nests: map[*Nest]float64{}}
	seconds := make([]float64, len(nests)+1)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		number, value, _ := strings.Cut(line, " ")
		k, err := strconv.Atoi(number)
		s, failed := strconv.ParseFloat(value, 64)
		if err != nil || failed != nil || k < 0 || k >= len(seconds) {
			return nil, unusable("the times that the program left cannot be read")
		}
		seconds[k] = s
	}
	for k, n := range nests {
		p.nests[n] = seconds[k+1] / max(seconds[0], 1e-9)
	}
	return p, nil
}

// buildTimed builds the program with timers around nests, which are counted from 1.
func (r *profiledRun) buildTimed(ctx context.Context) (program string, nests []*Nest, err error) {
	toolchain, err := runner.FindToolchain(ctx, registry.Default().Toolchains(r.Settings)[0])
	if err != nil {
		return "", nil, err
	}
	written := map[string][]byte{"timers.c": timersSource, "timers.h": timersHeader}
	own := []string{filepath.Join(r.folder, "timers.c")}
	for k, f := range r.files {
		if f.Error != "" {
			continue
		}
		folder, err := filepath.Abs(filepath.Dir(f.Path))
		if err != nil {
			return "", nil, err
		}
		var list insertions
		for _, n := range f.Nests {
			if n.Inside > 0 || n.Status == Marked || n.loop.IsExpanded {
				continue
			}
			nests = append(nests, n)
			at := frameOf(f.source, n.loop, n.loop)
			list = append(list, Insertion{at.start, fmt.Sprintf("{ TUNE_SCAN(%d)\n#line %d\n", len(nests), f.position(at.start).Line)}, Insertion{n.loop.End, "}"})
		}
		name := fmt.Sprintf("file%d.c", k)
		written[name] = slices.Concat(fmt.Appendf(nil, "#include %q\n#line 1 %q\n", filepath.Join(r.folder, "timers.h"), filepath.Join(folder, filepath.Base(f.Path))), list.into(f.source))
		own = append(own, "-iquote", folder, filepath.Join(r.folder, name))
	}
	for name, text := range written {
		if err := os.WriteFile(filepath.Join(r.folder, name), text, 0o666); err != nil {
			return "", nil, err
		}
	}
	target := r.asBuilt()
	if _, err := target.Parsing(r.folder); err != nil {
		return "", nil, err
	}
	flags := target.Program.Build
	program = filepath.Join(r.folder, "program")
	others := slices.DeleteFunc(slices.Clone(flags.Sources), r.isOwn)
	arguments := slices.Concat(toolchain.Flags, flags.Compiler, target.CompilerArguments(), own, others, flags.Objects, toolchain.Libraries, []string{"-o", program})
	c := exec.CommandContext(ctx, toolchain.Path, arguments...)
	c.Env = append(os.Environ(), toolchain.Environment...)
	if said, err := c.CombinedOutput(); err != nil {
		return "", nil, unusable("the files are not built with timers, as a program needs all its files, and what else it is built with in --build-flags: %s", firstError(string(said)))
	}
	return program, nests, nil
}

// asBuilt says how the files are compiled together: as their build does where it compiles all of them
// alike.
func (r *profiledRun) asBuilt() pipeline.Options {
	target, built := r.Target, ""
	for k, f := range r.files {
		if k > 0 && f.BuildFlags != built || f.Error != "" {
			return target
		}
		built = f.BuildFlags
	}
	if built != "" {
		target.Program.BuildText = built
	}
	return target
}

// isOwn says that a source is one of the files that are looked at.
func (r *profiledRun) isOwn(path string) bool {
	other, err := os.Stat(path)
	return err == nil && slices.ContainsFunc(r.files, func(f *File) bool {
		own, err := os.Stat(f.Path)
		return err == nil && os.SameFile(own, other)
	})
}

// firstError is the first line of a compiler's messages that tells of an error.
func firstError(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for _, line := range lines {
		if strings.Contains(line, "error") || strings.Contains(line, "undefined reference") {
			return line
		}
	}
	return lines[0]
}
