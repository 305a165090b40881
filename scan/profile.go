package scan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"polytune/internal/usage"
)

// Profile is where a program's time went.
type Profile struct {
	// By is "perf", "gprof" or "timers".
	By string `json:"by"`
	// Command is the run, and Why says for each profiler that was not used what kept it from that.
	Command string   `json:"command"`
	Why     []string `json:"why,omitempty"`
	// lines are parts of the time by file and line, functions those by functions alone.
	lines     map[string]map[int]float64
	functions map[string]float64
	// nests are parts of the time of nests that were timed themselves.
	nests map[*Nest]float64
}

// profile runs the command and gives the nests of the files their shares of its time: by perf where
// that is there and allowed to look, by gprof where the program was built for it, and else by
// timers around the nests.
func (o *Options) profile(ctx context.Context, files []*File) (*Profile, error) {
	folder, err := os.MkdirTemp("", "tune-scan-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	r := &profiledRun{Options: o, folder: folder, files: files}
	var why []string
	for _, by := range []func(context.Context) (*Profile, error){r.byPerf, r.byGprof, r.byTimers} {
		p, err := by(ctx)
		var unusable *unusableError
		switch {
		case errors.As(err, &unusable):
			why = append(why, unusable.why)
			continue
		case err != nil:
			return nil, err
		}
		p.Command, p.Why = o.Run, why
		p.divide(files)
		return p, nil
	}
	return nil, fmt.Errorf("the time of %s cannot be told apart: %s", o.Run, strings.Join(why, "; "))
}

// profiledRun is a run whose time is told apart.
type profiledRun struct {
	*Options
	// folder is for what profilers write.
	folder string
	files  []*File
}

// unusableError says why a profiler cannot be used, so that another one is.
type unusableError struct{ why string }

func (e *unusableError) Error() string { return e.why }

func unusable(format string, args ...any) error {
	return &unusableError{fmt.Sprintf(format, args...)}
}

// run runs a command with further entries of the environment; what it prints is told.
func (r *profiledRun) run(ctx context.Context, environment []string, words ...string) error {
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Env = append(os.Environ(), environment...)
	c.Stdout, c.Stderr = r.Stderr, r.Stderr
	if err := c.Run(); err != nil {
		return usage.Mistake(fmt.Errorf("--run: %s: %w; give a command that runs the program to its end, such as --run './program 100'", r.Run, err))
	}
	return nil
}

// shell are the words that run the command.
func (r *profiledRun) shell() []string { return []string{"sh", "-c", r.Run} }

// divide gives the nests their shares.
func (p *Profile) divide(files []*File) {
	for _, f := range files {
		outermost := map[string]int{}
		for _, n := range f.Nests {
			if n.Inside == 0 {
				outermost[n.Function]++
			}
		}
		lines := p.linesOf(f.Path)
		for _, n := range f.Nests {
			share, known := p.nests[n]
			if !known && len(lines) > 0 {
				known = true
				for line, part := range lines {
					if n.Line <= line && line <= n.LastLine {
						share += part
					}
				}
			}
			if !known {
				share, known = p.functions[n.Function]
				n.WithOthers = known && (n.Inside > 0 || outermost[n.Function] > 1)
			}
			if known {
				share = min(share, 1)
				n.Share = &share
			}
		}
	}
}

// linesOf are the lines of a file that took time; compilers call it by one path or another.
func (p *Profile) linesOf(path string) map[int]float64 {
	own, err := os.Stat(path)
	for name, lines := range p.lines {
		other, failed := os.Stat(name)
		if err == nil && failed == nil && os.SameFile(own, other) {
			return lines
		}
	}
	for name, lines := range p.lines {
		if _, err := os.Stat(name); err != nil && filepath.Base(name) == filepath.Base(path) {
			return lines
		}
	}
	return nil
}

// add adds a part of the time at a line.
func (p *Profile) add(file string, line int, part float64) {
	if p.lines[file] == nil {
		p.lines[file] = map[int]float64{}
	}
	p.lines[file][line] += part
}

// plainName is the function that a compiler has made another one of, such as
// "product._omp_fn.0".
func plainName(symbol string) string {
	name, _, _ := strings.Cut(symbol, ".")
	return name
}
