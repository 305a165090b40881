package runner

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// FindCUDA locates the compiler of CUDA C, on PATH or in $CUDA_HOME/bin, and asks for its version.
func FindCUDA(ctx context.Context, spec ToolchainSpec) (Toolchain, error) {
	environment, err := loadModules(ctx, spec.Modules)
	if err != nil {
		return Toolchain{}, err
	}
	t := Toolchain{Name: spec.Name, Family: "nvcc", Environment: environment, Flags: slices.Clone(spec.Flags),
		CheckFlags: slices.Clone(spec.CheckFlags), Libraries: slices.Clone(spec.Libraries)}
	if t.Path, err = findCommand(spec.Command, environment); err != nil {
		home, _ := variable(t.environment(), "CUDA_HOME")
		path := filepath.Join(home, "bin", spec.Command)
		if _, missing := exec.LookPath(path); home == "" || missing != nil {
			return Toolchain{}, fmt.Errorf("no compiler %q: %w, nor in $CUDA_HOME/bin; install NVIDIA's CUDA toolkit, or set CUDA_HOME to its folder", spec.Command, err)
		}
		t.Path = path
	}
	t.Resolved = t.Path
	if resolved, err := filepath.EvalSymlinks(t.Path); err == nil {
		t.Resolved = resolved
	}
	answer, err := t.ask(ctx, "--version")
	if err != nil {
		return Toolchain{}, fmt.Errorf("%s does not answer --version: %w", t.Path, err)
	}
	_, release, _ := strings.Cut(answer, "release ")
	t.Version = versionNumber.FindString(release)
	t.ID = t.hash()
	return t, nil
}

// linkerFlags are those with which linkers find what the toolkit has to be linked with.
func (t *Toolchain) linkerFlags() (flags []string) {
	root := filepath.Dir(filepath.Dir(t.Resolved))
	for _, folder := range []string{"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"} {
		if status, err := os.Stat(filepath.Join(root, folder)); err == nil && status.IsDir() {
			flags = append(flags, "-L"+filepath.Join(root, folder))
		}
	}
	return flags
}

// unsupportedHost is what nvcc says of a host compiler that is newer than it.
var unsupportedHost = []byte("-allow-unsupported-compiler")

// compileCUDA compiles kernels for a GPU. A host compiler that nvcc finds too new is tried all the
// same.
func (b *Builder) compileCUDA(ctx context.Context, directory string, job Job) (compiledKernels, error) {
	nvcc, err := FindCUDA(ctx, b.options.CUDA)
	if err != nil {
		return compiledKernels{}, err
	}
	flags := nvcc.Flags
	if job.Check {
		flags = nvcc.CheckFlags
	}
	argv := slices.Concat([]string{nvcc.Path}, flags, []string{"-std=c++17", "-c", kernelsFile, "-o", kernelsObject})
	err = b.compiler(ctx, directory, "compile", argv, kernelsObject)
	var failure *CompileError
	if errors.As(err, &failure) && bytes.Contains(failure.Stderr, unsupportedHost) {
		err = b.compiler(ctx, directory, "compile", append(argv, string(unsupportedHost)), kernelsObject)
	}
	return compiledKernels{[]string{kernelsObject}, append(nvcc.linkerFlags(), nvcc.Libraries...)}, err
}

// ptxHeader has as much of CUDA as kernels need, for clang without a toolkit.
//
//go:embed ptx.h.tmpl
var ptxHeader string

// architectures are those of GPUs for which PTX is made.
var architectures = []string{"sm_80", "sm_90"}

const (
	// leastClang is the first version of clang that makes PTX for all architectures, and
	// greatestClang the last one that is looked for by its number.
	leastClang, greatestClang = 16, 29
)

// findClang is a clang that makes PTX, the newest first.
func findClang(ctx context.Context) (Toolchain, error) {
	commands := []string{"clang"}
	for version := greatestClang; version >= leastClang; version-- {
		commands = append(commands, "clang-"+strconv.Itoa(version))
	}
	for _, command := range commands {
		if t, err := AskCompiler(ctx, command); err == nil && t.Family == "clang" && majorOf(t.Version) >= leastClang {
			return t, nil
		}
	}
	return Toolchain{}, fmt.Errorf("neither nvcc nor clang %d or later, which make PTX, is on PATH: %w; apt install clang-%d", leastClang, exec.ErrNotFound, leastClang)
}

// majorOf is the first number of a version.
func majorOf(version string) int {
	first, _, _ := strings.Cut(version, ".")
	major, _ := strconv.Atoi(first)
	return major
}

// findPTX is the compiler that makes PTX: nvcc or, without any toolkit, clang.
func findPTX(ctx context.Context, nvcc ToolchainSpec) (Toolchain, error) {
	if t, err := FindCUDA(ctx, nvcc); err == nil {
		return t, nil
	}
	return findClang(ctx)
}

// compilePTX compiles kernels for all architectures; nothing is linked.
func (b *Builder) compilePTX(ctx context.Context, directory string) (compiledKernels, error) {
	compiler, err := findPTX(ctx, b.options.CUDA)
	if err != nil {
		return compiledKernels{}, err
	}
	if err := os.WriteFile(filepath.Join(directory, "ptx.h"), []byte(ptxHeader), 0o600); err != nil {
		return compiledKernels{}, fmt.Errorf("cannot write the kernels: %w", err)
	}
	for _, architecture := range architectures {
		product := architecture + ".ptx"
		argv := []string{compiler.Path, "-std=c++17", "-O3", "-ptx", "-arch=" + architecture}
		if compiler.Family == "clang" {
			argv = []string{compiler.Path, "-std=c++17", "-O3", "-S", "--cuda-device-only", "--cuda-gpu-arch=" + architecture,
				"-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-include", "ptx.h"}
		}
		argv = append(argv, kernelsFile, "-o", product)
		if err := b.compiler(ctx, directory, "compile", argv, product); err != nil {
			return compiledKernels{}, err
		}
	}
	return compiledKernels{}, nil
}
