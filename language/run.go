package language

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"polytune/algorithm"
	"polytune/internal/oneline"
	"polytune/internal/pattern"
)

// mostBuilding and mostRunning are how long a Go program may be built and run, and mostPrinted how
// many bytes it may print.
const (
	mostBuilding = 3 * time.Minute
	mostPrinted  = 64 << 20
)

var mostRunning = 20 * time.Second

// module is the name of the module in which programs import the package.
const module = "polytune"

// workshop is a temporary folder with a module that has package algorithm.
type workshop struct {
	folder string
	// path is the Go file or the folder of the user, in user, a folder.
	path, user string
	// copied says that the user's files are in the module, in the folder program.
	copied bool
}

// describe builds and runs the Go program in a file or a folder.
func describe(ctx context.Context, path string) (*algorithm.Description, error) {
	folder, err := os.MkdirTemp("", "tune-go-")
	if err != nil {
		return nil, fmt.Errorf("a folder to build %s in: %w", path, err)
	}
	defer os.RemoveAll(folder)
	w := &workshop{folder: folder, path: path, user: path}
	if info, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("cannot read the Go program: %w", err)
	} else if !info.IsDir() {
		w.user = filepath.Dir(path)
	}
	if err := w.prepare(); err != nil {
		return nil, err
	}
	if err := w.build(ctx); err != nil {
		return nil, err
	}
	return w.run(ctx)
}

// prepare writes the module.
func (w *workshop) prepare() error {
	if err := w.write("go.mod", []byte("module "+module+"\n\ngo 1.22\n")); err != nil {
		return err
	}
	files, err := fs.Glob(algorithm.Source, "*.go")
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := algorithm.Source.ReadFile(name)
		if err == nil && !strings.HasSuffix(name, "_test.go") && name != "embedded.go" {
			err = w.write(filepath.Join("algorithm", name), text)
		}
		if err != nil {
			return err
		}
	}
	if mod := w.userModule(); mod != "" {
		return w.extend(mod)
	}
	w.copied = true
	return w.copyFiles()
}

func (w *workshop) write(name string, text []byte) error {
	path := filepath.Join(w.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// moduleLine is the one of a go.mod that names the module.
var moduleLine = pattern.New(`(?m)^module\s+"?([^\s"]+)`)

// userModule is the go.mod of the module that the program is in, "" for none, and for polytune's
// own.
func (w *workshop) userModule() string {
	folder, err := filepath.Abs(w.user)
	for ; err == nil; folder = filepath.Dir(folder) {
		text, failed := os.ReadFile(filepath.Join(folder, "go.mod"))
		if m := moduleLine.FindSubmatch(text); failed == nil && m != nil && string(m[1]) != module {
			return filepath.Join(folder, "go.mod")
		}
		if failed == nil || folder == filepath.Dir(folder) {
			break
		}
	}
	return ""
}

// extend writes a go.mod that has package algorithm beside what the user's has.
func (w *workshop) extend(mod string) error {
	text, err := os.ReadFile(mod)
	if err != nil {
		return err
	}
	more := fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, w.folder)
	if err := w.write("user.mod", append(text, more...)); err != nil {
		return err
	}
	if sums, err := os.ReadFile(filepath.Join(filepath.Dir(mod), "go.sum")); err == nil {
		return w.write("user.sum", sums)
	}
	return nil
}

// copyFiles copies the program's files into the module.
func (w *workshop) copyFiles() error {
	paths := []string{w.path}
	if w.path == w.user {
		paths, _ = filepath.Glob(filepath.Join(w.user, "*.go"))
	}
	count := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = w.write(filepath.Join("program", filepath.Base(path)), text)
		}
		if err != nil {
			return fmt.Errorf("cannot read the Go program: %w", err)
		}
		count++
	}
	if count == 0 {
		return fmt.Errorf("%s has no Go file that is no test", w.path)
	}
	return nil
}

// build compiles the program.
func (w *workshop) build(ctx context.Context) error {
	arguments, folder := []string{"build", "-o", filepath.Join(w.folder, "run"), "./program"}, w.folder
	if !w.copied {
		what := "."
		if w.path != w.user {
			what = filepath.Base(w.path)
		}
		arguments, folder = []string{"build", "-modfile", filepath.Join(w.folder, "user.mod"), "-o", filepath.Join(w.folder, "run"), what}, w.user
	}
	_, messages, err := w.command(ctx, mostBuilding, folder, "go", arguments...)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s is a Go program, and there is no go on PATH: install Go from https://go.dev/dl, or name a C file", w.path)
	case errors.Is(err, errTooLong):
		return fmt.Errorf("%s: go build took more than %v", w.path, mostBuilding)
	}
	return fmt.Errorf("%s does not compile:\n%s", w.path, w.places(messages))
}

// places are messages of the compiler with the user's names of files, without its headings.
func (w *workshop) places(messages []byte) string {
	var lines []string
	for line := range strings.Lines(string(messages)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimPrefix(line, "./")
		if w.copied {
			line = strings.ReplaceAll(line, "program"+string(filepath.Separator), w.user+string(filepath.Separator))
		} else if strings.Contains(line, ".go:") {
			line = filepath.Join(w.user, line)
		}
		lines = append(lines, line)
	}
	text := strings.Join(lines, "\n")
	if strings.Contains(text, "module lookup disabled") || strings.Contains(text, "is not in std") || strings.Contains(text, "no required module provides") || strings.Contains(text, "cannot find module providing") {
		text += "\nthe program is built without a network: it can import the standard library, polytune/algorithm, and what its own module has in go.mod and is downloaded"
	}
	return text
}

// run runs the program and reads what it prints.
func (w *workshop) run(ctx context.Context) (*algorithm.Description, error) {
	printed, messages, err := w.command(ctx, mostRunning, w.user, filepath.Join(w.folder, "run"))
	switch {
	case errors.Is(err, errTooLong):
		return nil, fmt.Errorf("%s runs for more than %v; a program declares its algorithm, calls algorithm.Main and ends", w.path, mostRunning)
	case errors.Is(err, errTooMuch):
		return nil, fmt.Errorf("%s prints more than %d MiB; a program prints what algorithm.Main prints", w.path, mostPrinted>>20)
	case err != nil:
		return nil, fmt.Errorf("%s fails: %v\n%s", w.path, err, w.places(firstLines(messages, 20)))
	}
	d := &algorithm.Description{}
	decoder := json.NewDecoder(bytes.NewReader(printed))
	if err := decoder.Decode(d); err != nil || d.Version == 0 {
		what := "nothing"
		if text := oneline.First(string(printed)); text != "" {
			what = fmt.Sprintf("%.60q", text)
		}
		return nil, fmt.Errorf("%s prints %s, and no algorithm: call algorithm.Main(f) at the end of main, and print other things with os.Stderr", w.path, what)
	}
	if rest := strings.TrimSpace(string(printed[decoder.InputOffset():])); rest != "" {
		return nil, fmt.Errorf("%s prints %.60q behind its algorithm: call algorithm.Main(f) once, at the end of main, and print other things with os.Stderr", w.path, oneline.First(rest))
	}
	if d.Version != algorithm.Version {
		return nil, fmt.Errorf("%s describes its algorithm in version %d, and this tune reads %d", w.path, d.Version, algorithm.Version)
	}
	w.name(d)
	return d, nil
}

// name gives places the user's names of files.
func (w *workshop) name(d *algorithm.Description) {
	folder, _ := filepath.Abs(w.user)
	named := func(at *algorithm.Position) {
		if filepath.Dir(at.File) == filepath.Join(w.folder, "program") || filepath.Dir(at.File) == folder {
			at.File = filepath.Join(w.user, filepath.Base(at.File))
		}
	}
	named(&d.At)
	for k := range d.Declarations {
		named(&d.Declarations[k].At)
	}
}

func firstLines(text []byte, count int) []byte {
	lines := bytes.SplitAfterN(text, []byte("\n"), count+1)
	return bytes.Join(lines[:min(count, len(lines))], nil)
}

var (
	errTooLong = errors.New("it takes too long")
	errTooMuch = errors.New("it prints too much")
)

// command runs a command in a folder with what it may take, and gives what it prints.
func (w *workshop) command(ctx context.Context, limit time.Duration, folder, name string, arguments ...string) (printed, messages []byte, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTooLong)
	defer cancel()
	out, told := &bounded{}, &bounded{}
	c := exec.CommandContext(ctx, name, arguments...)
	c.Dir, c.Stdout, c.Stderr = folder, out, told
	c.Env = append(os.Environ(), goFlags(os.Getenv("GOFLAGS")), "GOPROXY=off", "GO111MODULE=on", "GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
	if _, is := os.LookupEnv("HOME"); !is {
		c.Env = append(c.Env, "GOCACHE="+filepath.Join(w.folder, "cache"), "GOPATH="+filepath.Join(w.folder, "path"))
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	err = c.Run()
	switch {
	case out.full || told.full:
		err = errTooMuch
	case context.Cause(ctx) != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return out.Bytes(), told.Bytes(), err
}

// goFlags is GOFLAGS for the programs of algorithms: a module without a network, and what the user
// says there about compiling packages, without which Go compiles its library anew. Nobody debugs
// these programs: linking is quicker without what debuggers read.
func goFlags(users string) string {
	flags := []string{"GOFLAGS=-mod=mod", "-ldflags=-w"}
	for _, flag := range strings.Fields(users) {
		if strings.HasPrefix(flag, "-gcflags=") {
			flags = append(flags, flag)
		}
	}
	return strings.Join(flags, " ")
}

// bounded keeps what is written, up to mostPrinted bytes.
type bounded struct {
	bytes.Buffer
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > mostPrinted {
		b.full = true
		return 0, io.ErrShortWrite
	}
	return b.Buffer.Write(p)
}
