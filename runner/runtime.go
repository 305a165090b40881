package runner

import (
	"os"
	"slices"
)

// Runtime is what programs need of the threads, or the device, that their code is for: each
// target has one, such as that of package target/openmp/omp.
type Runtime interface {
	// Threads are the entries of the environment, NAME=VALUE, with which a program has so many
	// threads, 0 meaning one for each of the processors or 1, and has them on these processors, one
	// each; none for anywhere.
	Threads(threads int, cpus []int) []string
	// Inherited are the names of variables that timed programs take over from the tuner's
	// environment.
	Inherited() []string
	// Waiting are the entries with which threads that wait leave their processors to others.
	Waiting() []string
	// Trial is a C program that compilers have to build, and that ends with status 0.
	Trial() string
	// Advice is what to do where a compiler of the family fails at the trial with the flags; "" for
	// nothing.
	Advice(family string, flags []string) string
}

// serial is the runtime of programs that need none.
type serial struct{}

func (serial) Threads(int, []int) []string    { return nil }
func (serial) Inherited() []string            { return nil }
func (serial) Waiting() []string              { return nil }
func (serial) Trial() string                  { return "int main(void) { return 0; }\n" }
func (serial) Advice(string, []string) string { return "" }

// runtimeOr is a runtime, or where there is none that of programs that need none.
func runtimeOr(r Runtime) Runtime {
	if r == nil {
		return serial{}
	}
	return r
}

// inheritedVariables are the environment of the tuner that a run sees, besides what its runtime
// adds: all runs of a session have the same, of nearly the same size.
var inheritedVariables = []string{"PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR", "GLIBC_TUNABLES"}

// environment is that of a run of a program with a runtime, whose toolchain changes some
// variables.
func (r RunRequest) environment(runtime Runtime, toolchain []string) []string {
	runtime = runtimeOr(runtime)
	list := runtime.Threads(r.Threads, r.CPUs)
	all := slices.Concat(os.Environ(), toolchain)
	for _, name := range slices.Concat(inheritedVariables, runtime.Inherited()) {
		if value, ok := variable(all, name); ok {
			list = append(list, name+"="+value)
		}
	}
	if r.Rounding != "" {
		list = append(list, directionVariable+"="+string(r.Rounding))
	}
	if r.Waiting {
		list = append(list, runtime.Waiting()...)
	}
	list = append(list, r.Energy.Environment()...)
	return append(list, r.Env...)
}

// ThreadEnvironment is what timed runs with so many threads on some processors find in
// their environment about them: what a run sets, and what it inherits from the tuner.
func ThreadEnvironment(runtime Runtime, threads int, cpus []int) []string {
	runtime = runtimeOr(runtime)
	list := runtime.Threads(threads, cpus)
	for _, name := range runtime.Inherited() {
		if value, set := os.LookupEnv(name); set {
			list = append(list, name+"="+value)
		}
	}
	return list
}
