package runner

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"
)

// BuilderOptions say what a Builder builds and under which limits.
type BuilderOptions struct {
	Toolchain Toolchain
	// Driver is linked with every variant.
	Driver Driver
	// Jobs is the number of variants that are built at the same time; 0
	// means one.
	Jobs int
	// Limit is the wall-clock limit of one compiler run; 0 for none.
	Limit time.Duration
	// SourceDir is where the user's file lies, for its #include "…".
	SourceDir string
	// Arguments are further compiler arguments for every variant, such as
	// the user's -I and -D.
	Arguments []string
	// CPUs are the processors the compilers may use; empty for all.
	CPUs []int
	// Keep leaves the working directory in place at Close.
	Keep bool
}

// Builder compiles variants of one function into executables. Its methods may
// be called by several goroutines.
type Builder struct {
	options BuilderOptions
	work    string
	slots   *semaphore.Weighted
	mutex   sync.Mutex
	count   int
	drivers map[string]*driverObject
}

// driverObject is the driver compiled with one set of flags.
type driverObject struct {
	mutex sync.Mutex
	path  string
}

// Job is one variant to build.
type Job struct {
	// Source is the whole text of the variant's C file.
	Source string
	// Check builds with the toolchain's CheckFlags in place of its Flags.
	Check bool
	// Flags are the variant's own, after the toolchain's.
	Flags []string
}

// Binary is an executable. Two binaries with the same Hash behave the same.
type Binary struct {
	// Path is the executable's file, in the builder's working directory.
	Path string
	// Source is the file it was compiled from.
	Source string
	// Hash is the SHA-256 of the executable, in hexadecimal. Builds are
	// reproducible: the same machine code has the same hash.
	Hash string
}

// CompileError says why a compiler made no executable.
type CompileError struct {
	// Stage is "driver", "compile", "link" or "inspect".
	Stage string
	// Argv is the command that failed.
	Argv []string
	// ExitCode, Signal, TimedOut and Interrupted are as in Outcome.
	ExitCode    int
	Signal      syscall.Signal
	TimedOut    bool
	Interrupted bool
	// Limit is the wall-clock limit the command had.
	Limit time.Duration
	// Stderr is the beginning of the compiler's messages.
	Stderr []byte
}

// Error names the command, how it ended and the first lines of its messages.
func (e *CompileError) Error() string {
	program := "the compiler"
	if len(e.Argv) > 0 {
		program = e.Argv[0]
	}
	text := excerpt(e.Stderr)
	if text != "" {
		text = ":\n" + text
	}
	switch {
	case e.TimedOut:
		return fmt.Sprintf("%s: %s took more than %v and was killed (limits.build_seconds raises the limit)%s", e.Stage, program, e.Limit, text)
	case e.Interrupted:
		return fmt.Sprintf("%s: %s was interrupted", e.Stage, program)
	case e.Signal != 0:
		return fmt.Sprintf("%s: %s was ended by signal %d (%v)%s", e.Stage, program, e.Signal, e.Signal, text)
	case e.ExitCode == 0:
		return fmt.Sprintf("%s: %s reported success but made no usable file%s", e.Stage, program, text)
	default:
		return fmt.Sprintf("%s: %s failed with exit status %d%s", e.Stage, program, e.ExitCode, text)
	}
}

// NewBuilder makes a builder with a working directory of its own under
// os.TempDir. The caller closes it.
func NewBuilder(options BuilderOptions) (*Builder, error) {
	work, err := os.MkdirTemp("", "tune-")
	if err != nil {
		return nil, fmt.Errorf("no working directory (set TMPDIR to a writable one): %w", err)
	}
	return &Builder{
		options: options, work: work,
		slots:   semaphore.NewWeighted(int64(max(options.Jobs, 1))),
		drivers: map[string]*driverObject{},
	}, nil
}

// Work is the builder's working directory.
func (b *Builder) Work() string { return b.work }

// Close removes the working directory and all binaries in it, unless
// Options.Keep says otherwise.
func (b *Builder) Close() error {
	if b.options.Keep {
		return nil
	}
	return os.RemoveAll(b.work)
}

// Discard removes the files of one binary.
func (b *Builder) Discard(binary Binary) error {
	directory := filepath.Dir(binary.Path)
	if filepath.Dir(directory) != b.work {
		return fmt.Errorf("%s is none of this builder's binaries", binary.Path)
	}
	return os.RemoveAll(directory)
}

// Build compiles a variant and links it with the driver. It waits for a free
// slot among Options.Jobs. Compiler failures are of type *CompileError.
func (b *Builder) Build(ctx context.Context, job Job) (Binary, error) {
	if err := b.slots.Acquire(ctx, 1); err != nil {
		return Binary{}, &CompileError{Stage: "compile", Interrupted: true, ExitCode: -1}
	}
	defer b.slots.Release(1)
	flags := b.options.Toolchain.Flags
	if job.Check {
		flags = b.options.Toolchain.CheckFlags
	}
	driver, err := b.driver(ctx, flags)
	if err != nil {
		return Binary{}, err
	}
	directory, err := b.newDirectory()
	if err != nil {
		return Binary{}, err
	}
	if err := os.WriteFile(filepath.Join(directory, "variant.c"), []byte(b.options.Driver.Attach(job.Source)), 0o600); err != nil {
		return Binary{}, fmt.Errorf("cannot write the variant's source: %w", err)
	}
	all := append(append([]string{}, flags...), job.Flags...)
	if err := b.compile(ctx, directory, "compile", "variant", all); err != nil {
		return Binary{}, err
	}
	return b.link(ctx, directory, driver, all)
}

// newDirectory makes a directory with a short name for one variant.
func (b *Builder) newDirectory() (string, error) {
	b.mutex.Lock()
	b.count++
	directory := filepath.Join(b.work, fmt.Sprintf("v%d", b.count))
	b.mutex.Unlock()
	if err := os.Mkdir(directory, 0o700); err != nil {
		return "", fmt.Errorf("no directory for a variant: %w", err)
	}
	return directory, nil
}

// driver compiles the driver once for each set of flags.
func (b *Builder) driver(ctx context.Context, flags []string) (string, error) {
	b.mutex.Lock()
	key := strings.Join(flags, "\x00")
	object := b.drivers[key]
	if object == nil {
		object = &driverObject{}
		b.drivers[key] = object
	}
	b.mutex.Unlock()

	object.mutex.Lock()
	defer object.mutex.Unlock()
	if object.path != "" {
		return object.path, nil
	}
	directory, err := b.newDirectory()
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(directory, "driver.c"), []byte(b.options.Driver.Source), 0o600); err != nil {
		return "", fmt.Errorf("cannot write the driver's source: %w", err)
	}
	if err := b.compile(ctx, directory, "driver", "driver", flags); err != nil {
		return "", err
	}
	object.path = filepath.Join(directory, "driver.o")
	return object.path, nil
}

// compile makes NAME.o of NAME.c in a directory. No debugging information is
// made because it would name the directory.
func (b *Builder) compile(ctx context.Context, directory, stage, name string, flags []string) error {
	argv := append([]string{b.options.Toolchain.Path}, flags...)
	argv = append(argv, b.options.Arguments...)
	if b.options.SourceDir != "" {
		argv = append(argv, "-iquote", b.options.SourceDir)
	}
	argv = append(argv, "-g0", "-c", name+".c", "-o", name+".o")
	return b.compiler(ctx, directory, stage, argv, name+".o")
}

func (b *Builder) link(ctx context.Context, directory, driver string, flags []string) (Binary, error) {
	argv := append([]string{b.options.Toolchain.Path}, flags...)
	argv = append(argv, "variant.o", driver, "-o", "variant")
	argv = append(argv, b.options.Toolchain.Libraries...)
	if err := b.compiler(ctx, directory, "link", argv, "variant"); err != nil {
		return Binary{}, err
	}
	binary := Binary{Path: filepath.Join(directory, "variant"), Source: filepath.Join(directory, "variant.c")}
	content, err := os.ReadFile(binary.Path)
	if err != nil {
		return Binary{}, fmt.Errorf("cannot read the executable: %w", err)
	}
	if !isExecutable(binary.Path) {
		return Binary{}, &CompileError{Stage: "inspect", Argv: argv}
	}
	sum := sha256.Sum256(content)
	binary.Hash = hex.EncodeToString(sum[:])
	return binary, nil
}

// compiler runs one command of the compiler, which must make the product.
// Its temporary files go into the directory, where Close removes them even
// when the compiler was killed.
func (b *Builder) compiler(ctx context.Context, directory, stage string, argv []string, product string) error {
	outcome, err := Execute(ctx, Command{
		Argv: argv, Dir: directory, Limit: b.options.Limit, CPUs: b.options.CPUs,
		Env: append(os.Environ(), "TMPDIR="+directory, "LC_ALL=C"),
	})
	if err != nil {
		return err
	}
	_, missing := os.Stat(filepath.Join(directory, product))
	if outcome.OK() && missing == nil {
		return nil
	}
	return &CompileError{
		Stage: stage, Argv: argv, ExitCode: outcome.ExitCode, Signal: outcome.Signal,
		TimedOut: outcome.TimedOut, Interrupted: outcome.Interrupted, Limit: b.options.Limit, Stderr: outcome.Stderr,
	}
}

func isExecutable(path string) bool {
	file, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return (file.Type == elf.ET_EXEC || file.Type == elf.ET_DYN) && file.Entry != 0
}
