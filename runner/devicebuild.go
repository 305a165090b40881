package runner

import (
	"cmp"
	"context"
	"debug/elf"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/pattern"
)

// DeviceSource is text for a device that is compiled and linked with a variant.
type DeviceSource struct {
	Text   string
	Device Device
}

// compiledKernels are the objects and libraries that are linked with a variant.
type compiledKernels struct{ objects, libraries []string }

const kernelsFile, kernelsObject = "kernels.cu", "kernels.o"

// compileDevice compiles the kernels of a job in a directory. OpenCL's are text of the variant, and
// compiled when it runs.
func (b *Builder) compileDevice(ctx context.Context, directory string, job Job) (compiledKernels, error) {
	if job.Device == nil {
		return compiledKernels{}, nil
	}
	kind := job.Device.Device.Built().Kind
	if kind == OpenCLDevice {
		return compiledKernels{libraries: []string{"-ldl"}}, nil
	}
	if err := os.WriteFile(filepath.Join(directory, kernelsFile), []byte(job.Device.Text), 0o600); err != nil {
		return compiledKernels{}, fmt.Errorf("cannot write the kernels: %w", err)
	}
	switch kind {
	case Emulation:
		return b.compileEmulation(ctx, directory, job.Device.Device)
	case PTX:
		return b.compilePTX(ctx, directory)
	}
	return b.compileCUDA(ctx, directory, job)
}

// The emulation: what is read in front of the kernels, and what is linked with them.
var (
	//go:embed emulation.h.tmpl
	emulationHeader string
	//go:embed emulation.cc.tmpl
	emulationText string
)

// emulationFlags are those of the emulation's own file. Kernels, which run once or twice with
// little data, are compiled with kernelFlags, too: with C++17, whose <cmath> is long, and with -O2
// that takes half as long again, with sanitizers at -O1 three times as long.
var (
	emulationFlags = []string{"-std=c++17", "-O2", "-ffp-contract=off", "-g0"}
	kernelFlags    = []string{"-std=c++14", "-O0"}
)

// findEmulation is the compiler that the emulation needs.
func findEmulation(ctx context.Context) (Toolchain, error) {
	path, err := exec.LookPath("g++")
	if err != nil {
		return Toolchain{}, fmt.Errorf("the emulation of CUDA needs g++: %w; apt install g++", err)
	}
	t := Toolchain{Path: path, Family: "gcc"}
	answer, err := t.ask(ctx, "-dumpfullversion")
	t.Version = answer
	return t, err
}

// compileEmulation compiles kernels as C++ for the processor.
func (b *Builder) compileEmulation(ctx context.Context, directory string, device Device) (compiledKernels, error) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		return compiledKernels{}, fmt.Errorf("the emulation of CUDA needs g++: %w; apt install g++", err)
	}
	flags, libraries := slices.Clone(emulationFlags), []string{"-lstdc++", "-lpthread"}
	if device.Name == boundsOrder {
		sanitizers := "-fsanitize=address,undefined"
		flags, libraries = append(flags, sanitizers, "-fno-sanitize-recover=undefined"), append(libraries, sanitizers)
	}
	emulation, err := b.emulationObject(ctx, compiler, flags)
	if err != nil {
		return compiledKernels{}, err
	}
	var counting []string
	if device.countsAccesses() {
		counting = countingFlags
	}
	argv := slices.Concat([]string{compiler}, flags, kernelFlags, counting, []string{"-x", "c++", "-include", filepath.Join(filepath.Dir(emulation), "emulation.h"),
		"-c", kernelsFile, "-o", kernelsObject})
	if err := b.compiler(ctx, directory, "compile", argv, kernelsObject); err != nil {
		return compiledKernels{}, err
	}
	return compiledKernels{[]string{kernelsObject, emulation}, libraries}, checkShared(filepath.Join(directory, kernelsObject))
}

// emulationObject compiles the emulation's own file once for each set of flags, and gives its path.
func (b *Builder) emulationObject(ctx context.Context, compiler string, flags []string) (string, error) {
	made := b.madeOnce(append([]string{emulationText}, flags...))
	made.mutex.Lock()
	defer made.mutex.Unlock()
	if made.paths != nil {
		return made.paths[0], nil
	}
	directory, err := b.newDirectory()
	if err != nil {
		return "", err
	}
	for name, text := range map[string]string{"emulation.h": emulationHeader, "emulation.cc": emulationText} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("cannot write the emulation: %w", err)
		}
	}
	object := filepath.Join(directory, "emulation.o")
	memory := objectOf(Toolchain{Path: compiler}, emulationHeader+emulationText, flags)
	if !recallObject(memory, object) {
		argv := slices.Concat([]string{compiler}, flags, []string{"-c", "emulation.cc", "-o", "emulation.o"})
		if err := b.compiler(ctx, directory, "driver", argv, "emulation.o"); err != nil {
			return "", err
		}
		keepObject(memory, object)
	}
	made.paths = []string{object}
	return object, nil
}

// SharedLimit is the memory in bytes that the threads of a block share on any GPU, AskedLimit the
// largest that one gives to launches that ask for it.
const SharedLimit, AskedLimit = 48 << 10, 227 << 10

// SharedMemoryError says that a kernel has more shared memory than a GPU gives it.
type SharedMemoryError struct {
	Kernel       string
	Bytes, Limit uint64
}

func (e *SharedMemoryError) Error() string {
	return fmt.Sprintf("the device failed: kernel %s has %d bytes of shared memory; a block has at most %d", e.Kernel, e.Bytes, e.Limit)
}

// localVariable is the name of a variable of a function in an object file: the function's, and
// its own with its length.
var localVariable = pattern.New(`^_ZZ(.*E)\d+([A-Za-z_]\w*)$`)

// askedVariable is the variable with the memory that a launch asks for.
const askedVariable = "tune_shared"

// checkShared adds up the shared memory of each function in an object file of the emulation, where
// it is the threads' own.
func checkShared(object string) error {
	file, err := elf.Open(object)
	if err != nil {
		return fmt.Errorf("cannot read the kernels' object file: %w", err)
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return fmt.Errorf("cannot read the kernels' object file: %w", err)
	}
	bytes, limits := map[string]uint64{}, map[string]uint64{}
	for _, s := range symbols {
		parts := localVariable.FindStringSubmatch(s.Name)
		if elf.ST_TYPE(s.Info) != elf.STT_TLS || parts == nil {
			continue
		}
		bytes[parts[1]] += s.Size
		if limits[parts[1]] = max(limits[parts[1]], SharedLimit); strings.HasPrefix(parts[2], askedVariable) {
			limits[parts[1]] = AskedLimit
		}
	}
	for _, function := range slices.Sorted(maps.Keys(bytes)) {
		if bytes[function] > limits[function] {
			return &SharedMemoryError{functionName(function), bytes[function], limits[function]}
		}
	}
	return nil
}

// functionName is the name in the source of a function, such as k0 for L2k0IiEvPdE, or for
// N12_GLOBAL__N_11x2k0IiEEvPdE in namespaces.
func functionName(mangled string) string {
	rest, name := strings.TrimLeft(mangled, "N"), ""
	for {
		rest = strings.TrimLeft(rest, "L") // which says that no other file knows it
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		length, err := strconv.Atoi(rest[:digits])
		if err != nil || digits+length > len(rest) {
			return cmp.Or(name, mangled)
		}
		name, rest = rest[digits:digits+length], rest[digits+length:]
	}
}
