package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/frontend"
)

// testProgram is a program in a folder of its own, with what builds it.
type testProgram struct {
	*Builder
	program *Program
	source  string
	folder  string
}

// newProgram parses the source of a program, which lies in a file prog.c, and
// watches its numbered region, from 0.
func newProgram(t *testing.T, source string, region int, options ProgramOptions, subject Subject) testProgram {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "prog.c")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := frontend.Parse(path, []byte(source), frontend.Options{IncludePaths: []string{folder}})
	if err != nil {
		t.Fatal(err)
	}
	options.Dir = folder
	program, err := NewProgram(file, &file.Regions[region], options)
	if err != nil {
		t.Fatal(err)
	}
	toolchain := gcc(t)
	toolchain.Flags, toolchain.CheckFlags = []string{"-O0", "-fopenmp"}, []string{"-O0", "-ffp-contract=off", "-fopenmp"}
	subject.Harness, subject.SourceDir = program, folder
	builder, err := NewBuilder(BuilderOptions{Subject: subject, Toolchain: toolchain, Jobs: 2, Limit: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { builder.Close() })
	return testProgram{builder, program, source, folder}
}

// variant is the program with other code in place of the region.
func (p testProgram) variant(code string) string {
	return p.source[:p.program.start] + code + p.source[p.program.end:]
}

// reference dumps what the original computes.
func (p testProgram) reference(t *testing.T, request RunRequest) (path string, err error) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "reference")
	return path, DumpReference(context.Background(), build(t, p.Builder, p.source, true), request, path)
}

// sweeps executes its region three times, on a part of an array that has more
// elements, with data of all lifetimes.
const sweeps = `#include <stdio.h>
#include <stdlib.h>

static double grid[8][10];
float history[16];

static void sweep(int n, double *restrict p, long count[])
{
  double local[8];
  register int last = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      grid[i][j] = grid[i][j] * 0.5 + p[2 * i];
  for (int i = 0; i < n; i++) {
    local[i] = grid[i][1];
    history[i] = local[i] + 1;
    count[i] = count[i] + i;
  }
  last = n;
#pragma endscop
  p[0] += last + local[0];
}

int main(int argc, char **argv)
{
  long count[8] = {0};
  double *p = malloc(16 * sizeof *p);
  for (int i = 0; i < 16; i++)
    p[i] = i;
  for (int n = 4; n < 7; n++)
    sweep(n, p, count);
  printf("%g %ld %s\n", p[0], count[3], argc > 1 ? argv[1] : "");
  free(p);
  return 0;
}
`

// sweepsCode is the region in another order, with the mistake that an
// environment variable chooses.
const sweepsCode = `
  const char *const word = getenv("MISTAKE");
  const int mistake = word ? atoi(word) : 0;
  for (int j = 1; j < n; j++)
    for (int i = 0; i < n; i++)
      grid[i][j] = grid[i][j] * 0.5 + p[2 * i];
  for (int i = n - 1; i >= 0; i--) {
    history[i] = grid[i][1] + 1;
    local[i] = grid[i][1];
    count[i] += i;
  }
  last = n;
  static double kept;
  if (mistake == 1) { grid[7][9] = 1; grid[0][0] = 1; }
  if (mistake == 2) grid[2][3] += 1;
  if (mistake == 3 && n == 5) history[4] = 7;
  if (mistake == 4 && n == 5) { kept = grid[1][1]; grid[1][1] = 0; }
  if (mistake == 4 && n == 6) grid[1][1] = kept;
  if (mistake == 5) count[1]--;
  if (mistake == 6) local[3] = -0.0;
  if (mistake == 7) last--;
  if (mistake == 8) history[2] *= 1.01;
`

func TestProgramVariants(t *testing.T) {
	p := newProgram(t, sweeps, 0, ProgramOptions{}, Subject{})
	request := RunRequest{Limit: 20 * time.Second, Threads: 2}
	reference, err := p.reference(t, request)
	if err != nil {
		t.Fatal(err)
	}
	variant := build(t, p.Builder, p.variant(sweepsCode), true)
	for _, c := range []struct{ name, mistake, want string }{
		{"none", "0", ""},
		{"where the region does not write", "1", ""},
		{"file-scope array", "2", "wrong result: grid[2][3] is 5, expected 4 after execution 1 of the region (1 of 12 elements of grid differ)"},
		{"in the second execution", "3", "wrong result: history[4] is 7, expected"},
		{"only in the second execution", "4", "after execution 2 of the region"},
		{"array on the stack of main", "5", "wrong result: count[1] is 0, expected 1 after execution 1"},
		{"local array", "6", "wrong result: local[3] is -0, expected"},
		{"scalar in a register", "7", "wrong result: last is 3, expected 4 after execution 1"},
	} {
		request.Env = []string{"MISTAKE=" + c.mistake}
		err := Compare(reference, dump(t, variant, request))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !errors.As(err, new(*Mismatch)) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestProgramTime times all executions together and looks at the last.
func TestProgramTime(t *testing.T) {
	p := newProgram(t, sweeps, 0, ProgramOptions{Arguments: []string{"a b"}}, Subject{})
	binary := build(t, p.Builder, p.source, false)
	request := TimeRequest{RunRequest: RunRequest{Limit: time.Minute, Threads: 1}, Samples: 2, Repetitions: 3, Warmups: 1}
	original, err := Time(context.Background(), binary, request)
	if err != nil {
		t.Fatal(err)
	}
	if len(original.Seconds) != 2 || original.Wall <= 0 || original.PeakMemory == 0 || p.program.executions != 3 {
		t.Errorf("%+v, %d executions", original, p.program.executions)
	}
	if grid := original.Fingerprints[0]; len(original.Fingerprints) != 5 || grid.Name != "grid" || grid.Count != 30 || grid.Element != 8 {
		t.Errorf("%d fingerprints, the first %+v", len(original.Fingerprints), grid)
	}
	variant := build(t, p.Builder, p.variant(sweepsCode), false)
	for mistake, want := range map[string]string{"0": "", "8": "history", "5": "count"} {
		request.Env = []string{"MISTAKE=" + mistake}
		timing, err := Time(context.Background(), variant, request)
		if err != nil {
			t.Fatal(err)
		}
		err = CompareFingerprints(original.Fingerprints, timing.Fingerprints, Tolerance{Double: 1e-9, Single: 1e-5})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), "array "+want)) {
			t.Errorf("%q: error %v, want one about %q", mistake, err, want)
		}
	}
}

// loopHead has a region on n numbers x, alone in a function.
const loopHead = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
double x[20];
int n = 20;
static void region(void)
{
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 2 + 1;
#pragma endscop
}
`

// ends is a program that ends as its argument says.
const ends = loopHead + `
int main(int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "child first") && fork())
    wait(NULL);
  if (!strcmp(how, "much output"))
    for (int k = 0; k < 300000; k++)
      puts("0123456789");
  if (!strcmp(how, "outputs closed")) {
    fclose(stdout);
    fclose(stderr);
  }
  if (!strcmp(how, "two threads")) {
#pragma omp parallel num_threads(2)
    for (int k = 0; k < 20000; k++)
      region();
  } else if (strncmp(how, "without", 7))
    region();
  if (!strcmp(how, "exit"))
    exit(0);
  if (!strcmp(how, "child")) {
    if (!fork())
      exit(3);
    wait(NULL);
  }
  if (!strcmp(how, "another program"))
    return system("test -z \"$POLYTUNE_RESULT\"");
  if (!strcmp(how, "status")) {
    fprintf(stderr, "bad day\n");
    return 5;
  }
  if (!strcmp(how, "without, status"))
    return 2;
  if (!strcmp(how, "status 97"))
    return 97;
  if (!strcmp(how, "status 92"))
    return 92;
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "_exit"))
    _exit(0);
  if (!strcmp(how, "never"))
    for (;;)
      pause();
  return 0;
}
`

// TestProgramEnds runs a program that ends in all ways.
func TestProgramEnds(t *testing.T) {
	p := newProgram(t, ends, 0, ProgramOptions{}, Subject{})
	binary := build(t, p.Builder, p.source, false)
	for _, c := range []struct {
		how  string
		kind RunErrorKind
		want string
	}{
		{"return", "", ""},
		{"exit", "", ""},
		{"child", "", ""},
		{"child first", "", ""},
		{"another program", "", ""},
		{"outputs closed", "", ""},
		{"much output", "", ""},
		{"without", Invalid, "prog.c:10: the program does not execute this region"},
		{"without, status", Crashed, "exit status 2"},
		{"status", Crashed, "exit status 5:\nbad day"},
		{"status 97", Crashed, "exit status 97"},
		{"status 92", Crashed, "exit status 92"},
		{"abort", Crashed, "signal 6"},
		{"_exit", Invalid, "without a result"},
		{"never", Timeout, "took more than"},
		{"two threads", Invalid, "by a second thread or by recursion"},
	} {
		t.Run(c.how, func(t *testing.T) {
			p.program.options.Arguments, p.program.options.CheckArguments, p.program.executions = []string{c.how}, []string{c.how}, 0
			request := RunRequest{Limit: 20 * time.Second}
			if c.kind == Timeout {
				request.Limit = 300 * time.Millisecond
			}
			_, timed := Time(context.Background(), binary, TimeRequest{RunRequest: request})
			dumped := Dump(context.Background(), binary, request, filepath.Join(p.folder, "dump"))
			for _, err := range []error{timed, dumped} {
				var failure *RunError
				switch {
				case c.kind == "" && err != nil:
					t.Error(err)
				case c.kind != "" && (!errors.As(err, &failure) || failure.Kind != c.kind || !strings.Contains(err.Error(), c.want)):
					t.Errorf("error %v, want %s with %q", err, c.kind, c.want)
				}
			}
		})
	}
}

// TestProgramEnvironment: the program runs where the user is, with his
// environment, its own arguments, and others where it is compared.
func TestProgramEnvironment(t *testing.T) {
	t.Setenv("TESTPROGRAM", "here")
	source := loopHead + `
int main(int argc, char **argv)
{
  if (!fopen("input", "r") || !getenv("TESTPROGRAM") || argc != 3 || atoi(argv[1]) != (argv[2][0] == 'c' ? 7 : 9))
    return 1;
  n = atoi(argv[1]);
  region();
  return 0;
}
`
	p := newProgram(t, source, 0, ProgramOptions{Arguments: []string{"9", "timed"}, CheckArguments: []string{"7", "checked"}}, Subject{})
	if err := os.WriteFile(filepath.Join(p.folder, "input"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	request := RunRequest{Limit: 20 * time.Second}
	if _, err := p.reference(t, request); err != nil {
		t.Error(err)
	}
	timing, err := Time(context.Background(), build(t, p.Builder, p.source, false), TimeRequest{RunRequest: request})
	if err != nil || timing.Fingerprints[0].Count != 9 {
		t.Errorf("%v %+v", err, timing.Fingerprints)
	}
}

// TestProgramNotReproducible: a program whose data are random cannot be
// compared, and says so.
func TestProgramNotReproducible(t *testing.T) {
	p := newProgram(t, loopHead+"int main(void)\n{\n  x[3] = (double) getpid();\n  region();\n  return 0;\n}\n", 0, ProgramOptions{}, Subject{})
	_, err := p.reference(t, RunRequest{Limit: 20 * time.Second})
	if err == nil || !strings.Contains(err.Error(), "two runs of the program do not leave the same") || !strings.Contains(err.Error(), "x[3] is") {
		t.Errorf("error %v", err)
	}
}

// What a program that executes its region less often dumps ends earlier, and that is said of it.
func TestDumpsOfFewerExecutions(t *testing.T) {
	p := newProgram(t, "static int limit = 3;\n"+loopHead+"int main(void)\n{\n  for (int k = 0; k < limit; k++)\n    region();\n  return 0;\n}\n", 0, ProgramOptions{}, Subject{})
	request := RunRequest{Limit: 20 * time.Second}
	reference, err := p.reference(t, request)
	if err != nil {
		t.Fatal(err)
	}
	own := p.source[p.program.start:p.program.end]
	fewer := filepath.Join(t.TempDir(), "fewer")
	if err := Dump(context.Background(), build(t, p.Builder, p.variant(own+"\n  limit = 2;"), true), request, fewer); err != nil {
		t.Fatal(err)
	}
	for _, tolerance := range []Tolerance{{}, {Double: 1e-6, Single: 1e-3}} {
		var executions *ExecutionsError
		if err := CompareWithin(reference, fewer, tolerance); !errors.As(err, &executions) || executions.Expected != 3 || executions.Got != 2 {
			t.Errorf("error %v", err)
		}
		if err := CompareWithin(fewer, reference, tolerance); !errors.As(err, &executions) || executions.Expected != 2 || executions.Got != 3 {
			t.Errorf("error %v", err)
		}
	}
}

// TestProgramExecutions: a variant after which the region is executed less
// often computes something else.
func TestProgramExecutions(t *testing.T) {
	p := newProgram(t, loopHead+"int main(void)\n{\n  for (int k = 0; k < 3 && x[19] < 100; k++)\n    region();\n  return 0;\n}\n", 0, ProgramOptions{}, Subject{})
	request := RunRequest{Limit: 20 * time.Second}
	if _, err := Time(context.Background(), build(t, p.Builder, p.source, false), TimeRequest{RunRequest: request}); err != nil {
		t.Fatal(err)
	}
	var executions *ExecutionsError
	fewer := build(t, p.Builder, p.variant("x[19] = 1000;"), false)
	if _, err := Time(context.Background(), fewer, TimeRequest{RunRequest: request}); !errors.As(err, &executions) || executions.Expected != 3 || executions.Got != 1 ||
		!strings.Contains(err.Error(), "1 times, the original 3 times; where that is up to when results converge") {
		t.Errorf("error %v", err)
	}
}
