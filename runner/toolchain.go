package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"polytune/internal/pattern"
)

// ToolchainSpec is a compiler as the settings name it.
type ToolchainSpec struct {
	// Name is what people call it, such as "gcc".
	Name string
	// Command is a name on PATH or a path.
	Command string
	// Flags are for timed programs, CheckFlags for bitwise comparison.
	Flags, CheckFlags []string
	// Libraries follow the object files when linking.
	Libraries []string
	// Modules are environment modules, such as "gcc/14.2", that a login shell
	// loads before the compiler is looked for.
	Modules []string
	// Runtime is that of the programs it is to build; nil for programs that need none.
	Runtime Runtime
}

// Toolchain is a compiler that was found on this machine and works.
type Toolchain struct {
	// ID is a short hash of everything below except Name, Family, Vector, Environment and
	// Runtime: results of different IDs are never mixed.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Family is "gcc", "clang", "icx" and "icc" (Intel's new and old one), "nvc"
	// (NVIDIA's) or "unknown".
	Family string `json:"family"`
	// Path is what is executed; Resolved is the file behind its links.
	Path     string `json:"path"`
	Resolved string `json:"resolved"`
	Version  string `json:"version"`
	// Target is the machine the compiler generates code for.
	Target string `json:"target"`
	// Native is a hash of what the flags, such as -march=native, mean here;
	// "" where the compiler does not say.
	Native string `json:"native"`
	// Vector is what the flags let programs use; nil where the compiler does
	// not say. It follows from what the hash is made of.
	Vector *Vector `json:"vector,omitempty"`
	// Modules is $LOADEDMODULES, the environment modules in use.
	Modules    string   `json:"modules,omitempty"`
	Flags      []string `json:"flags"`
	CheckFlags []string `json:"check_flags"`
	Libraries  []string `json:"libraries"`
	// Environment are the entries, NAME=VALUE, that the modules of the settings
	// change: the compiler and what it builds run with them.
	Environment []string `json:"-"`
	// Runtime is that of the programs it builds; nil for programs that need none.
	Runtime Runtime `json:"-"`
	// Ranks say how the programs it builds for several ranks are started; zero for none.
	Ranks Ranks `json:"ranks,omitzero"`
}

// toolchainLimit bounds each question to a compiler.
const toolchainLimit = 20 * time.Second

// FindToolchain locates a compiler, asks it what it is, and lets it build a small program with each
// set of flags, unless that was done before within a day. Its errors say what to install or change.
func FindToolchain(ctx context.Context, spec ToolchainSpec) (Toolchain, error) {
	environment, err := loadModules(ctx, spec.Modules)
	if err != nil {
		return Toolchain{}, err
	}
	path, err := findCommand(spec.Command, environment)
	if err != nil {
		return Toolchain{}, fmt.Errorf("no compiler %q: %w; %s", spec.Command, err, installAdvice(spec.Command))
	}
	t := Toolchain{
		Name: spec.Name, Path: path, Environment: environment, Runtime: spec.Runtime,
		Flags: slices.Clone(spec.Flags), CheckFlags: slices.Clone(spec.CheckFlags), Libraries: slices.Clone(spec.Libraries),
	}
	memory := memoryOf(t)
	if known, is := recalled(memory); is {
		known.Name, known.Runtime = spec.Name, spec.Runtime
		return known, nil
	}
	if t, err = t.examined(ctx); err == nil {
		t.keep(memory)
	}
	return t, err
}

// examined finds out what the compiler is that has Path, flags and Environment, and
// whether it works.
func (t Toolchain) examined(ctx context.Context) (Toolchain, error) {
	t.Modules, _ = variable(t.environment(), "LOADEDMODULES")
	t.Resolved, t.Native, t.Vector = t.Path, "", nil
	if resolved, err := filepath.EvalSymlinks(t.Path); err == nil {
		t.Resolved = resolved
	}
	if err := t.identify(ctx); err != nil {
		return Toolchain{}, err
	}
	for _, flags := range [][]string{t.Flags, t.CheckFlags} {
		if err := t.tryOut(ctx, flags); err != nil {
			return Toolchain{}, err
		}
	}
	t.ID = t.hash()
	return t, nil
}

func installAdvice(command string) string {
	if strings.ContainsRune(command, filepath.Separator) {
		return "correct the path, or name another compiler with --cc"
	}
	name := filepath.Base(command)
	return fmt.Sprintf("install it (Debian, Ubuntu: apt install %[1]s; Fedora, RHEL: dnf install %[1]s; on a cluster: module load %[1]s) or name another with --cc", name)
}

// AskCompiler finds out what a compiler on PATH is, as far as that takes a few
// milliseconds: its Path, Resolved, Family and Version.
func AskCompiler(ctx context.Context, command string) (Toolchain, error) {
	path, err := findCommand(command, nil)
	if err != nil {
		return Toolchain{}, fmt.Errorf("no compiler %q: %w; %s", command, err, installAdvice(command))
	}
	t := Toolchain{Path: path, Resolved: path}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		t.Resolved = resolved
	}
	answer, err := t.ask(ctx, "--version")
	if err != nil {
		return Toolchain{}, err
	}
	t.setVersion(answer, "")
	return t, t.askFullVersion(ctx)
}

// environment is that of the compiler and of what it builds.
func (t *Toolchain) environment(more ...string) []string {
	return slices.Concat(os.Environ(), t.Environment, more)
}

// ask returns the first words of the compiler's answer to some arguments.
func (t *Toolchain) ask(ctx context.Context, arguments ...string) (string, error) {
	argv := append([]string{t.Path}, arguments...)
	outcome, err := Execute(ctx, Command{Argv: argv, Limit: toolchainLimit, Env: t.environment("LC_ALL=C")})
	if err != nil {
		return "", err
	}
	if !outcome.OK() {
		return "", &CompileError{Stage: strings.Join(arguments, " "), Argv: argv, ExitCode: outcome.ExitCode, Signal: outcome.Signal,
			TimedOut: outcome.TimedOut, Interrupted: outcome.Interrupted, Limit: toolchainLimit, Stderr: outcome.Stderr}
	}
	return strings.TrimSpace(string(outcome.Stdout)), nil
}

var versionNumber = pattern.New(`\d+\.\d+(\.\d+)?`)

// identify asks the compiler what it is. A compiler that does not tell its macros
// or its target has none; one that hangs is an error.
func (t *Toolchain) identify(ctx context.Context) error {
	answer, err := t.ask(ctx, "--version")
	if err != nil {
		return fmt.Errorf("%s does not answer --version, so it is no working compiler (name another with --cc): %w", t.Path, err)
	}
	macros, err := t.askAnyway(ctx, t.macroArguments()...)
	if err != nil {
		return err
	}
	t.setVersion(answer, macros)
	if strings.Contains(macros, "#define") {
		vector := vectorOfMacros(macros)
		t.Vector = &vector
	}
	if err := t.askFullVersion(ctx); err != nil {
		return err
	}
	native := macros
	if t.Family == "gcc" {
		// gcc's own list of options says more than its macros.
		if native, err = t.askAnyway(ctx, append(slices.Clone(t.Flags), "-Q", "--help=target")...); err != nil {
			return err
		}
	}
	if native != "" {
		t.Native = shortHash(native)
	}
	t.Target, err = t.askAnyway(ctx, "-dumpmachine")
	return err
}

// askFullVersion sets the Version of a gcc, whose answer to --version may begin
// with the number of a package.
func (t *Toolchain) askFullVersion(ctx context.Context) error {
	if t.Family != "gcc" {
		return nil
	}
	full, err := t.askAnyway(ctx, "-dumpfullversion")
	if versionNumber.MatchString(full) {
		t.Version = full
	}
	return err
}

// setVersion sets Family and Version from the answer to --version and the
// predefined macros.
func (t *Toolchain) setVersion(answer, macros string) {
	t.Family = familyOf(answer, macros)
	if t.Version = versionNumber.FindString(answer); t.Version == "" {
		t.Version, _, _ = strings.Cut(answer, "\n")
	}
}

// askAnyway is ask for what a compiler need not know: "" where it fails, and an
// error where it hangs.
func (t *Toolchain) askAnyway(ctx context.Context, arguments ...string) (string, error) {
	answer, err := t.ask(ctx, arguments...)
	if hangs(err) {
		return "", err
	}
	if err != nil {
		return "", nil
	}
	return answer, nil
}

// macroArguments make a compiler print the macros that its flags predefine.
func (t *Toolchain) macroArguments() []string {
	return append(slices.Clone(t.Flags), "-dM", "-E", "-x", "c", os.DevNull)
}

// hangs says whether the compiler was killed at the limit.
func hangs(err error) bool {
	var failure *CompileError
	return errors.As(err, &failure) && failure.TimedOut
}

// tryOut builds and runs the small program of the runtime.
func (t *Toolchain) tryOut(ctx context.Context, flags []string) error {
	runtime := runtimeOr(t.Runtime)
	work, err := os.MkdirTemp("", "tune-")
	if err != nil {
		return fmt.Errorf("no working directory (set TMPDIR to a writable one): %w", err)
	}
	defer os.RemoveAll(work)
	source, program := filepath.Join(work, "trial.c"), filepath.Join(work, "trial")
	if err := os.WriteFile(source, []byte(runtime.Trial()), 0o600); err != nil {
		return fmt.Errorf("cannot write into %s: %w", work, err)
	}
	arguments := append(append(slices.Clone(flags), source, "-o", program), t.Libraries...)
	if _, err := t.ask(ctx, arguments...); err != nil {
		return fmt.Errorf("%s cannot build a small program with the flags %q%s: %w", t.Path, strings.Join(flags, " "), runtime.Advice(t.Family, flags), err)
	}
	outcome, err := Execute(ctx, Command{Argv: []string{program}, Limit: toolchainLimit, Env: t.environment()})
	if err != nil || !outcome.OK() {
		return fmt.Errorf("a small program built by %s with the flags %q does not run%s: %s", t.Path, strings.Join(flags, " "), runtime.Advice(t.Family, flags), excerpt(outcome.Stderr))
	}
	return nil
}

func (t *Toolchain) hash() string {
	parts := []string{t.Resolved, t.Version, t.Target, t.Native, t.Modules,
		strings.Join(t.Flags, " "), strings.Join(t.CheckFlags, " "), strings.Join(t.Libraries, " ")}
	return shortHash(append(parts, t.Ranks.key()...)...)
}

// shortHash is 12 hexadecimal digits of the SHA-256 of some texts.
func shortHash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:6])
}
