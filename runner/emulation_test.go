package runner

import (
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/emulation.cu
var emulatedKernels string

// emulated builds a program of kernels for an emulation, with further flags for its own file.
func emulated(t testing.TB, text string, device Device, flags ...string) (string, error) {
	t.Helper()
	compiler, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("there is no g++ on this machine")
	}
	b, err := NewBuilder(BuilderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	directory, err := b.newDirectory()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(directory, kernelsFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	kernels, err := b.compileEmulation(t.Context(), directory, device)
	if err != nil {
		return "", err
	}
	if len(flags) > 0 {
		if kernels.objects[1], err = b.emulationObject(t.Context(), compiler, append(flags, emulationFlags...)); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(directory, "program")
	argv := slices.Concat([]string{compiler}, kernels.objects, []string{"-o", program}, kernels.libraries)
	return program, b.compiler(t.Context(), directory, "link", argv, "program")
}

// runEmulated runs a kernel in an order and gives what it prints.
func runEmulated(t testing.TB, program string, device Device, kernel string) (string, Outcome) {
	t.Helper()
	outcome, err := Execute(t.Context(), Command{Argv: []string{program, kernel}, Dir: filepath.Dir(program), Env: device.environment()})
	if err != nil {
		t.Fatal(err)
	}
	return string(outcome.Stdout), outcome
}

// TestEmulation: threads and blocks run in all orders; barriers are waited at, and a missing one is
// found by some order; fibers are changed by our code and by the system's.
func TestEmulation(t *testing.T) {
	for name, flags := range map[string][]string{"own": nil, "ucontext": {"-DTUNE_UCONTEXT"}} {
		t.Run(name, func(t *testing.T) {
			program, err := emulated(t, emulatedKernels, Device{Kind: Emulation}, flags...)
			if err != nil {
				t.Fatal(err)
			}
			checkOrders(t, program)
			checkStops(t, program)
		})
	}
}

func checkOrders(t *testing.T, program string) {
	wrong := map[string]bool{}
	for _, order := range []string{"forward", "reverse", "random"} {
		device := Device{Kind: Emulation, Name: order}
		turns, _ := runEmulated(t, program, device, "order")
		checkTurns(t, order, strings.Fields(turns))
		for _, kernel := range []string{"right", "launches", "constant", "together"} {
			if got, outcome := runEmulated(t, program, device, kernel); got != "0 wrong" || !outcome.OK() {
				t.Errorf("%s, %s: %q, %s", order, kernel, got, outcome.Stderr)
			}
		}
		for _, kernel := range []string{"one", "other", "first_alone", "second_alone"} {
			got, _ := runEmulated(t, program, device, kernel)
			wrong[kernel] = wrong[kernel] || got != "0 wrong"
		}
	}
	if !wrong["one"] || !wrong["other"] || !wrong["first_alone"] || !wrong["second_alone"] {
		t.Errorf("a missing barrier is not found: %v", wrong)
	}
}

// checkTurns looks at the turns that 4 threads of 3 blocks had.
func checkTurns(t *testing.T, order string, turns []string) {
	t.Helper()
	var got, ascending, descending []int
	for k, text := range turns {
		turn, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		got, ascending, descending = append(got, turn), append(ascending, k), append(descending, 11-k)
	}
	isForward, isReverse := slices.Equal(got, ascending), slices.Equal(got, descending)
	slices.Sort(got)
	if !slices.Equal(got, ascending) || len(got) != 12 {
		t.Errorf("%s: not every thread had one turn: %v", order, turns)
	}
	if isForward != (order == "forward") || isReverse != (order == "reverse") {
		t.Errorf("%s: turns %v", order, turns)
	}
}

// checkStops runs kernels that a GPU does not run, or not to their end.
func checkStops(t *testing.T, program string) {
	for kernel, want := range map[string]string{
		"half":    "emulation: block (0, 0, 0): some threads are at the barrier of line 52, and others have ended",
		"halves":  "emulation: block (0, 0, 0): some threads are at the barrier of line 57, and others at that of line 59",
		"threads": "a block has 1 to 1024 threads",
		"deep":    "at most 64 along z",
		"grid":    "a grid has 1 to 2147483647 blocks along x, and to 65535 along y and z",
		"none":    "a grid has 1 to",
		"some":    "some threads are at the barrier of line 89, and others have ended",
		"apart":   "the blocks of the kernel do not wait for each other at line 89",
		"many":    "not so many blocks run at once",
	} {
		said, outcome := runEmulated(t, program, Device{Kind: Emulation}, kernel)
		if said += string(outcome.Stderr); outcome.OK() || !strings.Contains(said, want) {
			t.Errorf("%s: %q, exit status %d; want %q", kernel, said, outcome.ExitCode, want)
		}
	}
	if said, outcome := runEmulated(t, program, Device{Kind: Emulation}, "most"); !outcome.OK() {
		t.Errorf("1024 threads: %s %s", said, outcome.Stderr)
	}
}

// TestEmulationBounds: a kernel that writes one element too far is found, also in shared memory.
func TestEmulationBounds(t *testing.T) {
	device := Device{Kind: Emulation, Name: boundsOrder}
	program, err := emulated(t, emulatedKernels, device)
	if err != nil {
		t.Skip("the sanitizers are not there:", err)
	}
	for _, kernel := range []string{"inside", "right"} {
		if _, outcome := runEmulated(t, program, device, kernel); !outcome.OK() {
			t.Errorf("%s: exit status %d: %s", kernel, outcome.ExitCode, outcome.Stderr)
		}
	}
	for kernel, want := range map[string]string{"past": "heap-buffer-overflow", "past_shared": "out of bounds"} {
		if _, outcome := runEmulated(t, program, device, kernel); outcome.OK() || !strings.Contains(string(outcome.Stderr), want) {
			t.Errorf("%s: exit status %d: %s", kernel, outcome.ExitCode, outcome.Stderr)
		}
	}
}

// TestEmulationShared: a kernel with more shared memory than a block has on any GPU is refused,
// however many arrays that is and however many kernels there are.
func TestEmulationShared(t *testing.T) {
	kernel := func(name, rows string) string {
		return "template <class T> __global__ void " + name + "(T *a) {\n  __shared__ T s[" + rows + "][32], one;\n" +
			"  s[threadIdx.x][0] = a[0];\n  one = a[1];\n  __syncthreads();\n  a[threadIdx.x] = s[3][0] + one;\n}\n"
	}
	call := "void call(double *a) {\n  TUNE_LAUNCH(k0<double>, dim3(1), dim3(9), a);\n  TUNE_LAUNCH(k1<double>, dim3(1), dim3(9), a);\n}\nint main() {}\n"
	if _, err := emulated(t, kernel("k0", "190")+kernel("k1", "191")+call, Device{Kind: Emulation}); err != nil {
		t.Error(err)
	}
	var shared *SharedMemoryError
	_, err := emulated(t, kernel("k0", "191")+"namespace { namespace region {\n"+kernel("k1", "192")+"} }\nusing region::k1;\n"+call, Device{Kind: Emulation})
	if !errors.As(err, &shared) || shared.Kernel != "k1" || shared.Bytes != 192*32*8+8 || shared.Limit != SharedLimit {
		t.Errorf("error %v", err)
	}
	asks := func(bytes string) error {
		_, err := emulated(t, "template <class T> __global__ void k0(T *a) {\n  TUNE_SHARED(tune_shared, "+bytes+");\n  a[0] = tune_shared[0];\n}\n"+
			"void call(double *a) { TUNE_LAUNCH_SHARED(k0<double>, dim3(1), dim3(9), "+bytes+", a); }\nint main() {}\n", Device{Kind: Emulation})
		return err
	}
	if err := asks("232448"); err != nil {
		t.Error(err)
	}
	if err := asks("232449"); !errors.As(err, &shared) || shared.Kernel != "k0" || shared.Limit != AskedLimit {
		t.Errorf("error %v", err)
	}
}

// BenchmarkEmulation: millions of points in a second of a processor, with two barriers for each and
// with none.
func BenchmarkEmulation(b *testing.B) {
	program, err := emulated(b, emulatedKernels, Device{Kind: Emulation})
	if err != nil {
		b.Fatal(err)
	}
	for _, kernel := range []string{"barriers", "few"} {
		b.Run(kernel, func(b *testing.B) {
			for b.Loop() {
				text, _ := runEmulated(b, program, Device{Kind: Emulation}, kernel)
				rate, err := strconv.ParseFloat(text, 64)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(rate, "Mpoints/cpu-s")
			}
		})
	}
}
