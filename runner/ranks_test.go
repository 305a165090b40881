package runner

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"polytune/scop"
)

const ranksMarker = "/* for ranks */"

// twoRanks is a compiler of programs that two ranks run.
var twoRanks = sync.OnceValues(func() (Toolchain, error) {
	toolchain, err := FindToolchain(context.Background(), ToolchainSpec{Name: "mpicc", Command: "mpicc", Flags: []string{"-O1"}, CheckFlags: []string{"-O1"}})
	if err != nil {
		return Toolchain{}, err
	}
	return toolchain.OnRanks(context.Background(), "mpirun -n {ranks}", 2)
})

// onTwoRanks builds programs of two ranks that call a function with a body; r is the rank.
func onTwoRanks(t *testing.T) func(body string) Binary {
	t.Helper()
	if _, err := exec.LookPath("mpicc"); err != nil {
		t.Skip("there is no mpicc: install libopenmpi-dev and openmpi-bin")
	}
	for _, name := range []string{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"} {
		t.Setenv(name, "1")
	}
	function := scop.Function{Name: "f", Arguments: []scop.Argument{
		{Name: "n", Type: "int", Role: scop.Size}, {Name: "x", Type: "double", Role: scop.Pointer, Extents: []string{"n"}},
	}}
	driver, err := GenerateDriver(function, DriverOptions{OnRanks: true})
	if err != nil {
		t.Fatal(err)
	}
	toolchain, err := twoRanks()
	if err != nil {
		t.Fatal(err)
	}
	builder, err := NewBuilder(BuilderOptions{Toolchain: toolchain, Subject: Subject{Harness: OnRanks{Driver: driver, Marker: ranksMarker}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { builder.Close() })
	return func(body string) Binary {
		t.Helper()
		binary, err := builder.Build(t.Context(), Job{Source: "#include <mpi.h>\n#include <stdlib.h>\n#include <unistd.h>\n" + ranksMarker +
			"\nvoid f(int n, double *x)\n{\n  int r;\n  MPI_Comm_rank(MPI_COMM_WORLD, &r);\n  (void) n;\n  (void) x;\n" + body + "\n}\n"})
		if err != nil {
			t.Fatal(err)
		}
		return binary
	}
}

func requestOf(limit time.Duration) RunRequest {
	return RunRequest{Params: map[string]int{"n": 3}, Threads: 2, Limit: limit}
}

// A rank that fails or hangs ends all within the limit, and the error names it. Where ranks have not
// begun within a short limit, the machine is busy, and they get more time.
func TestRankFails(t *testing.T) {
	programOf := onTwoRanks(t)
	for _, c := range []struct {
		name, body, want string
		limits           []time.Duration
	}{
		{"crash", "if (r == 1) __builtin_trap();\nMPI_Barrier(MPI_COMM_WORLD);", "rank 1 of 2 was ended by signal 4", []time.Duration{time.Minute}},
		{"exit", "if (r == 1) exit(7);\nMPI_Barrier(MPI_COMM_WORLD);", "rank 1 of 2 ended with status 7", []time.Duration{time.Minute}},
		{"hang", "for (volatile int k = r; k == 1;)\n    ;\nMPI_Barrier(MPI_COMM_WORLD);", "killed (rank 1 of 2 was computing; rank 0 of 2 was waiting for the others)", []time.Duration{2 * time.Second, 8 * time.Second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			binary := programOf(c.body)
			var err error
			for _, limit := range c.limits {
				began := time.Now()
				_, err = Time(context.Background(), binary, TimeRequest{RunRequest: requestOf(limit)})
				if took := time.Since(began); took > limit+20*time.Second {
					t.Errorf("it took %v", took)
				}
				if failure := (*RunError)(nil); errors.As(err, &failure) && strings.Contains(err.Error(), c.want) {
					return
				}
			}
			t.Errorf("the error is %v", err)
		})
	}
}

// A sample is the time of the slowest rank, and results are those of all ranks.
func TestTimeOnRanks(t *testing.T) {
	programOf := onTwoRanks(t)
	binary := programOf("if (r == 1) usleep(30000);\nx[0] = 2;")
	timing, err := Time(context.Background(), binary, TimeRequest{RunRequest: requestOf(time.Minute), Samples: 2, Warmups: 1})
	if err != nil || len(timing.Seconds) != 2 || timing.Seconds[0] < 0.03 || timing.Seconds[1] < 0.03 {
		t.Errorf("%v, %v", timing.Seconds, err)
	}
	path := filepath.Join(t.TempDir(), "dump")
	if err := Dump(context.Background(), binary, requestOf(time.Minute), path); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(path + "*")
	if _, missing := os.Stat(path); err != nil || missing != nil || len(left) != 1 {
		t.Errorf("the files are %q: %v", left, missing)
	}
	other := programOf("x[0] = r;")
	if err := Dump(context.Background(), other, requestOf(time.Minute), path); err == nil || !strings.Contains(err.Error(), "rank 1 of 2 has other results than rank 0") {
		t.Errorf("the error is %v", err)
	}
}

// Results of other ranks, launchers and libraries have other keys.
func TestRanksAreInTheKey(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range []Ranks{{}, {Launch: []string{"mpirun"}, Number: 2}, {Launch: []string{"mpirun"}, Number: 4}, {Launch: []string{"srun"}, Number: 2}, {Launch: []string{"mpirun"}, Number: 2, Library: "4.1"}} {
		t := Toolchain{Ranks: r}
		ids[t.hash()] = true
	}
	if len(ids) != 5 {
		t.Errorf("%d keys of 5", len(ids))
	}
}

func TestOnRanksNeedsALauncher(t *testing.T) {
	for launch, want := range map[string]string{"": "mpi.launch is empty", "no-such-launcher -n {ranks}": `set mpi.launch to what starts programs on 4 ranks`} {
		if _, err := (Toolchain{}).OnRanks(context.Background(), launch, 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", launch, err)
		}
	}
}

// What launchers say of root and of slots becomes what to do.
func TestLaunchRefused(t *testing.T) {
	for said, want := range map[string]string{
		"mpirun has detected an attempt to run as root.\nRunning as root is *strongly* discouraged":            "set OMPI_ALLOW_RUN_AS_ROOT=1",
		"There are not enough slots available in the system to satisfy the 5 slots that were requested by the": `fewer slots than 5 ranks: set mpi.launch to "mpirun --oversubscribe -n {ranks}"`,
	} {
		failure := &RunError{Kind: Crashed, Stderr: []byte(said)}
		Ranks{Launch: []string{"mpirun"}, Number: 5}.explain(failure, "")
		if failure.Kind != Invalid || !strings.Contains(failure.Error(), want) {
			t.Errorf("%q: %v", said, failure)
		}
	}
}
