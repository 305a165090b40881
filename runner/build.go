package runner

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"
)

// Subject is what is built and run: everything but the text of the variants.
type Subject struct {
	// Harness makes programs of the variants' source files.
	Harness Harness
	// SourceDir is where the user's file lies, for its #include "…".
	SourceDir string
	// Preprocessor are the user's arguments for every file's preprocessor,
	// such as -I and -D; Arguments are further ones of the compiler. Checked
	// programs are built without those that change how numbers are rounded.
	Preprocessor, Arguments []string
	// Sources are the paths of further C files of the program, compiled once
	// for each set of flags.
	Sources []string
	// Objects are further arguments of the linker, such as -lfftw3 or
	// /home/me/helpers.o, in front of the toolchain's libraries.
	Objects []string
}

// BuilderOptions say what a Builder builds and under which limits.
type BuilderOptions struct {
	Subject
	Toolchain Toolchain
	// Jobs is the number of variants that are built at the same time; 0
	// means one.
	Jobs int
	// Limit is the wall-clock limit of one compiler run; 0 for none.
	Limit time.Duration
	// CPUs are the processors the compilers may use; empty for all.
	CPUs []int
	// Keep leaves the working directory in place at Close.
	Keep bool
	// CUDA is the compiler of CUDA C, for programs with kernels for a GPU.
	CUDA ToolchainSpec
}

// Builder compiles variants of one region into executables. Its methods may
// be called by several goroutines.
type Builder struct {
	options    BuilderOptions
	work       string
	slots      *semaphore.Weighted
	mutex      sync.Mutex
	count      int
	companions map[string]*companions
	// programs are the latest, by what they are compiled from; kept are their keys, the oldest
	// first.
	programs map[programKey]*builtOnce
	kept     []programKey
}

// companions are what is linked with every variant, compiled with one set of
// flags: the harness' own file and the user's further sources.
type companions struct {
	mutex sync.Mutex
	paths []string
}

// Job is one variant to build.
type Job struct {
	// Source is the whole text of the variant's C file. Attached says that it is the file of a
	// Binary, which the harness has made of a variant's.
	Source   string
	Attached bool
	// Check builds with the toolchain's CheckFlags in place of its Flags, Optimized with both:
	// optimised as Flags say, but rounded as the source says.
	Check, Optimized bool
	// Flags are the variant's own, after the toolchain's.
	Flags []string
	// Device is what a device's compiler reads beside Source, nil for nothing.
	Device *DeviceSource
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

	harness Harness
	// environment are the entries that programs of the toolchain run with.
	environment []string
	// runtime is that of the toolchain.
	runtime Runtime
	// ranks say how the program is started on several ranks, zero for none.
	ranks Ranks
	// exact says that kernels round as the source says.
	exact bool
}

// CompileError says why a compiler made no executable.
type CompileError struct {
	// Stage is "driver", "source", "compile", "link" or "inspect".
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
		slots:      semaphore.NewWeighted(int64(max(options.Jobs, 1))),
		companions: map[string]*companions{}, programs: map[programKey]*builtOnce{},
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

// Build compiles a variant, or takes the program of one with the same code, and links it with its
// companions; one for a device that runs nothing is compiled alone, and there is no executable. It
// waits for a free slot among Options.Jobs. Compiler failures are of type *CompileError; where the
// disk is full, the error is a *NoSpaceError.
func (b *Builder) Build(ctx context.Context, job Job) (Binary, error) {
	begin := time.Now()
	binary, err := b.build(ctx, job)
	slog.InfoContext(ctx, "build", "compiler", b.options.Toolchain.Name, "check", job.Check, "seconds", time.Since(begin).Seconds(),
		"source", binary.Source, "hash", binary.Hash, "error", err)
	return binary, BlameSpace(b.work, err)
}

func (b *Builder) build(ctx context.Context, job Job) (Binary, error) {
	if err := b.slots.Acquire(ctx, 1); err != nil {
		return Binary{}, &CompileError{Stage: "compile", Interrupted: true, ExitCode: -1}
	}
	defer b.slots.Release(1)
	own := b.flags(job)
	flags := slices.Concat(own, b.options.Preprocessor)
	objects, err := b.companionsFor(ctx, own, flags)
	if err != nil {
		return Binary{}, err
	}
	directory, err := b.newDirectory()
	if err != nil {
		return Binary{}, err
	}
	text := job.Source
	if !job.Attached {
		if text, err = b.options.Harness.Attach(job.Source); err != nil {
			return Binary{}, err
		}
	}
	flags = append(flags, job.Flags...)
	return b.programOnce(ctx, directory, job, text, objects, flags)
}

// program builds a job, whose text for the compiler that is, in a directory.
func (b *Builder) program(ctx context.Context, directory string, job Job, text string, objects, flags []string) (Binary, error) {
	if err := os.WriteFile(filepath.Join(directory, "variant.c"), []byte(text), 0o600); err != nil {
		return Binary{}, fmt.Errorf("cannot write the variant's source: %w", err)
	}
	if err := b.compileVariant(ctx, directory, flags); err != nil {
		return Binary{}, err
	}
	kernels, err := b.compileDevice(ctx, directory, job)
	if err != nil {
		return Binary{}, err
	}
	if job.Device != nil && !job.Device.Device.Runs() {
		return Binary{Path: filepath.Join(directory, "variant")}, nil
	}
	binary, err := b.link(ctx, directory, append(slices.Clone(objects), kernels.objects...), flags, kernels.libraries)
	binary.exact = job.Check
	return binary, err
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

// companionsFor compiles the companions once for each set of flags, those
// without and with the user's macros, and gives the paths of their object files.
func (b *Builder) companionsFor(ctx context.Context, own, flags []string) ([]string, error) {
	made := b.madeOnce(flags)
	made.mutex.Lock()
	defer made.mutex.Unlock()
	if made.paths != nil {
		return made.paths, nil
	}
	directory, err := b.newDirectory()
	if err != nil {
		return nil, err
	}
	paths, err := b.compileCompanion(ctx, directory, own)
	if err != nil {
		return nil, err
	}
	for i, source := range b.options.Sources {
		object := fmt.Sprintf("source%d.o", i)
		if err := b.compile(ctx, directory, "source", source, object, flags); err != nil {
			return nil, err
		}
		paths = append(paths, filepath.Join(directory, object))
	}
	made.paths = paths
	return paths, nil
}

// compileCompanion compiles the harness' own files in a directory, or takes what is kept of them,
// and gives the paths of their object files.
func (b *Builder) compileCompanion(ctx context.Context, directory string, flags []string) (paths []string, err error) {
	files := b.options.Harness.Companion().files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		source, object := name+".c", name+".o"
		if err := os.WriteFile(filepath.Join(directory, source), []byte(files[name]), 0o600); err != nil {
			return nil, fmt.Errorf("cannot write the driver's source: %w", err)
		}
		path := filepath.Join(directory, object)
		memory := objectOf(b.options.Toolchain, files[name], flags)
		if !recallObject(memory, path) {
			if err := b.compile(ctx, directory, "driver", source, object, append(slices.Clone(flags), "-std=gnu11")); err != nil {
				return nil, err
			}
			keepObject(memory, path)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// madeOnce are the companions of what the words say, made or not.
func (b *Builder) madeOnce(words []string) *companions {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	key := strings.Join(words, "\x00")
	if b.companions[key] == nil {
		b.companions[key] = &companions{}
	}
	return b.companions[key]
}

// compile makes an object file of a source file in a directory. No debugging
// information is made because it would name the directory.
func (b *Builder) compile(ctx context.Context, directory, stage, source, object string, flags []string) error {
	argv := append([]string{b.options.Toolchain.Path}, flags...)
	if b.options.SourceDir != "" {
		argv = append(argv, "-iquote", b.options.SourceDir)
	}
	argv = append(argv, "-g0", "-c", source, "-o", object)
	return b.compiler(ctx, directory, stage, argv, object)
}

// companionLibrary has what companions call, behind all that the user links.
const companionLibrary = "-lm"

func (b *Builder) link(ctx context.Context, directory string, objects, flags, libraries []string) (Binary, error) {
	argv := append([]string{b.options.Toolchain.Path}, flags...)
	argv = append(append(argv, "variant.o"), objects...)
	argv = append(append(argv, "-o", "variant"), b.options.Objects...)
	argv = append(append(append(argv, b.options.Toolchain.Libraries...), libraries...), companionLibrary)
	argv = append(argv, b.options.Harness.Companion().Link...)
	if err := b.compiler(ctx, directory, "link", argv, "variant"); err != nil {
		return Binary{}, err
	}
	if !isExecutable(filepath.Join(directory, "variant")) {
		return Binary{}, &CompileError{Stage: "inspect", Argv: argv}
	}
	return b.linked(directory)
}

// linked is the executable that is in a directory.
func (b *Builder) linked(directory string) (Binary, error) {
	binary := Binary{Path: filepath.Join(directory, "variant"), Source: filepath.Join(directory, "variant.c"),
		harness: b.options.Harness, environment: b.options.Toolchain.Environment, runtime: b.options.Toolchain.Runtime, ranks: b.options.Toolchain.Ranks}
	content, err := os.ReadFile(binary.Path)
	if err != nil {
		return Binary{}, fmt.Errorf("cannot read the executable: %w", err)
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
		Env: b.options.Toolchain.environment("TMPDIR="+directory, "LC_ALL=C"),
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
