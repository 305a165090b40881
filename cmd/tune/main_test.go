package main

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"
	"github.com/rogpeppe/go-internal/testscript"

	"polytune/internal/exit"
	"polytune/internal/kerneltest"
	"polytune/runner"
	"polytune/schedule/refusal"
	"polytune/session"
)

// How long candidates take to be found beside other tests nobody knows.
func init() { session.LeastPreparing = time.Minute }

// TestMain makes this program available to tests as the command "tune".
func TestMain(m *testing.M) {
	program := func() { os.Exit(runChecked(arguments(os.Args))) }
	testscript.Main(withCache{m}, map[string]func(){"tune": program, compilerName: program})
}

// cacheFolder is that of all commands of the tests.
var cacheFolder string

// withCache runs tests with a folder for what their commands remember, as of compilers.
type withCache struct{ *testing.M }

func (w withCache) Run() int {
	folder, err := os.MkdirTemp("", "tune-cache-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	cacheFolder = folder
	if err := buildClock(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return w.M.Run()
}

// TestScript runs the scripts of testdata/script, each in a folder of its own. What only the long
// test does is behind "[!long] stop" in each, at its end.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			for _, variable := range testEnvironment(env.WorkDir) {
				name, value, _ := strings.Cut(variable, "=")
				env.Setenv(name, value)
			}
			env.Setenv("LIBRARIES", measuredLibraries())
			for variable, folder := range map[string]string{schemaVariable: schemaFolder, "MODULE": "../../packaging/cmake"} {
				path, err := filepath.Abs(folder)
				if err != nil {
					return err
				}
				env.Setenv(variable, path)
			}
			return nil
		},
		Condition: scriptCondition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"action":    scriptAction,
			"exits":     scriptExits,
			"json":      scriptJSON,
			"keys":      scriptKeys,
			"unchanged": scriptUnchanged,
			"compiles":  scriptCompiles,
			"at-sizes":  scriptAtSizes,
			"sql":       scriptSQL,
		},
	})
}

// scriptCondition is about compilers and devices that the tests do not need, [clang] and [opencl],
// and about what only long tests do, [long].
func scriptCondition(name string) (bool, error) {
	switch name {
	case "clang":
		return hasClang(), nil
	case "opencl":
		return hasOpenCL(), nil
	case "long":
		return kerneltest.Long(), nil
	}
	return false, fmt.Errorf("no condition %s", name)
}

// hasOpenCL says whether there is a device of OpenCL.
var hasOpenCL = sync.OnceValue(func() bool {
	_, err := (&runner.DeviceFinder{Toolchain: runner.Toolchain{Path: "gcc"}}).Real(context.Background(), "opencl", "auto")
	return err == nil
})

// hasClang says whether clang builds programs with OpenMP.
var hasClang = sync.OnceValue(func() bool {
	c := exec.Command("clang", "-fopenmp", "-x", "c", "-", "-o", os.DevNull)
	c.Stdin = strings.NewReader("#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n")
	return c.Run() == nil
})

// goCache is Go's folder of what it has compiled: programs in Go do not compile its runtime anew.
func goCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = cacheFolder
	}
	return cmp.Or(os.Getenv("GOCACHE"), folder+"/go-build")
}

// testEnvironment keeps a test away from the user's settings and results, and
// keeps its builds and timings short: with -O3 compilers are most of the tests' time, and -O1 takes
// three times as long as -O0. Tests in which code has to be fast ask for more. Threads wait
// without processor time, which is what measured programs read.
func testEnvironment(folder string) []string {
	return []string{
		"GOGC=800",
		"XDG_DATA_HOME=" + folder + "/data",
		"XDG_CONFIG_HOME=" + folder + "/settings",
		"XDG_CACHE_HOME=" + cacheFolder,
		"GOCACHE=" + goCache(),
		"GOFLAGS=" + os.Getenv("GOFLAGS"),
		"TUNE_LOCK_FOLDER=" + folder,
		"OMP_WAIT_POLICY=passive",
		"TUNE_MEASUREMENT_SAMPLE_SECONDS=0.001",
		"TUNE_MEASUREMENT_ROUNDS_MAX=9",
		"TUNE_MEASUREMENT_POWERCAP=" + folder + "/none",
		"TUNE_TOOLCHAINS_GCC_FLAGS=-O0 -march=native -fopenmp",
		"TUNE_TOOLCHAINS_GCC_CHECK_FLAGS=-O0 -ffp-contract=off -fopenmp",
		"TUNE_TOOLCHAINS_GCC_LIBRARIES=" + measuredLibraries(),
	}
}

// scriptAtSizes runs tune check at some sizes, the parameters with different values
// each time, and wants all to be ok; values behind a slash go round among themselves:
//
//	at-sizes PARAMETER,PARAMETER VALUE,VALUE/VALUE,VALUE ARGUMENT...
func scriptAtSizes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: at-sizes PARAMETER,PARAMETER VALUE,VALUE/VALUE,VALUE ARGUMENT...")
	}
	sizes := sizesOf(strings.Split(args[0], ","), args[1])
	command := []string{"check"}
	for _, size := range sizes {
		command = append(command, "--param", size)
	}
	command = append(command, args[2:]...)
	if err := ts.Exec("tune", command...); err != nil {
		ts.Fatalf("tune %s: %v", strings.Join(command, " "), err)
	}
	if checked := strings.Count(ts.ReadFile("stdout"), "ok "); checked < len(sizes) {
		ts.Fatalf("tune %s: %d sizes instead of %d", strings.Join(command, " "), checked, len(sizes))
	}
}

// sizesOf are the sizes that at-sizes means.
func sizesOf(parameters []string, lists string) (sizes []string) {
	for list := range strings.SplitSeq(lists, "/") {
		values := strings.Split(list, ",")
		for k := range values {
			var size []string
			for p, parameter := range parameters {
				size = append(size, parameter+"="+values[(k+p)%len(values)])
			}
			sizes = append(sizes, strings.Join(size, ","))
		}
	}
	return sizes
}

// scriptExits runs a program and checks its exit status and manners:
//
//	exits STATUS PROGRAM ARGUMENT...
//
// Errors are on stderr, never as a panic; with --json stdout has one JSON
// document, or nothing when the command fails.
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if failure := new(exec.ExitError); errors.As(err, &failure) {
		got = failure.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d instead of %d", got, want)
	}
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if problem := manners(args[2:], got, stdout, stderr); problem != "" {
		ts.Fatalf("%s", problem)
	}
}

// isRefusal says whether an output is the JSON document of a recipe that is refused.
func isRefusal(stdout string) bool {
	var document struct{ Refused *refusal.Refusal }
	return json.Unmarshal([]byte(stdout), &document) == nil && document.Refused != nil && document.Refused.Reason != ""
}

// manners says what is wrong with the output of a command, or "".
func manners(args []string, status int, stdout, stderr string) string {
	failed := status != exit.OK && status != exit.Incomplete && status != exit.TooSlow
	early := status == exit.Interrupted && strings.Contains(stderr, "has ended before all was done")
	switch {
	case strings.Contains(stderr, "panic") || strings.Contains(stderr, "internal error: ") || strings.Contains(stderr, "goroutine "):
		return "a panic on stderr"
	case failed && !strings.Contains(stderr, "tune: "):
		return "no message on stderr"
	case failed && !early && stdout != "" && !(slices.Contains(args, "--json") && isRefusal(stdout)):
		return "stdout is not empty though the command failed"
	case !failed && slices.Contains(args, "--json"):
		if _, err := oneJSONDocument(stdout); err != nil {
			return "stdout is not one JSON document: " + err.Error()
		}
	}
	return ""
}

func oneJSONDocument(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	var document any
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the document")
	}
	return document, nil
}

// scriptJSON checks that a value is there and, where a third argument is
// given, that it equals that JSON value:
//
//	[!] json FILE PATH [VALUE]
//
// PATH has names and indices, such as checks.0.status.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH [VALUE]")
	}
	value, found := lookUp(ts, args[0], args[1])
	holds := found
	if found && len(args) == 3 {
		want, err := oneJSONDocument(args[2])
		ts.Check(err)
		holds = reflect.DeepEqual(value, want)
	}
	if holds == neg {
		ts.Fatalf("%s is %v (found: %v)", args[1], value, found)
	}
}

// scriptKeys checks that an object has these keys and no others:
//
//	keys FILE PATH KEY...
//
// The path "." is the whole document.
func scriptKeys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: keys FILE PATH KEY...")
	}
	value, _ := lookUp(ts, args[0], args[1])
	object, ok := value.(map[string]any)
	if !ok {
		ts.Fatalf("%s is no object but %v", args[1], value)
	}
	want := slices.Sorted(slices.Values(args[2:]))
	if got := slices.Sorted(maps.Keys(object)); !slices.Equal(got, want) {
		ts.Fatalf("%s has the keys %v instead of %v", args[1], got, want)
	}
}

func lookUp(ts *testscript.TestScript, file, path string) (value any, found bool) {
	value, err := oneJSONDocument(ts.ReadFile(file))
	ts.Check(err)
	for step := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		if step == "" {
			continue
		}
		switch node := value.(type) {
		case map[string]any:
			if value, found = node[step]; !found {
				return nil, false
			}
		case []any:
			index, err := strconv.Atoi(step)
			if err != nil || index >= len(node) {
				return nil, false
			}
			value = node[index]
		default:
			return nil, false
		}
	}
	return value, true
}

// markedRegion is a region with its pragmas.
var markedRegion = regexp.MustCompile(`(?s)[ \t]*#pragma scop.*?#pragma endscop[ \t]*\n`)

// scriptUnchanged checks that a transformed file is the original, byte for
// byte, outside of the regions, and something else inside:
//
//	unchanged ORIGINAL TRANSFORMED
func scriptUnchanged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unchanged ORIGINAL TRANSFORMED")
	}
	original, rest := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	outside := markedRegion.Split(original, -1)
	first, last := outside[0], outside[len(outside)-1]
	if len(outside) < 2 || !strings.HasPrefix(rest, first) || !strings.HasSuffix(rest, last) {
		ts.Fatalf("the beginning or the end differs")
	}
	for k, part := range outside {
		before, after, found := strings.Cut(rest, part)
		if !found || k > 0 && before == "" {
			ts.Fatalf("part %d is missing: %q", k, part)
		}
		rest = after
	}
	if strings.Contains(ts.ReadFile(args[1]), "#pragma scop") {
		ts.Fatalf("a region is still there")
	}
}

// scriptCompiles checks that C files compile without a warning:
//
//	compiles FILE...
func scriptCompiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("unsupported: ! compiles")
	}
	ts.Check(ts.Exec("gcc", append([]string{"-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-fsyntax-only"}, args...)...))
}

// scriptSQL executes a statement in a database, or checks the one value that a
// query gives:
//
//	sql FILE STATEMENT [VALUE]
func scriptSQL(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: sql FILE STATEMENT [VALUE]")
	}
	if len(args) == 2 {
		ts.Check(execute(ts.MkAbs(args[0]), args[1]))
		return
	}
	values, err := query(context.Background(), ts.MkAbs(args[0]), args[1])
	ts.Check(err)
	if got := strings.Join(values, " "); got != args[2] {
		ts.Fatalf("%s gives %q instead of %q", args[1], got, args[2])
	}
}

func execute(path, statement string) error {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// query gives the values of the first column.
func query(ctx context.Context, path, statement string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro&_busy_timeout=5000")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var values []string
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

// tuneCommand is this program with its output kept, in the folder and apart from
// the user's settings.
func tuneCommand(folder string, args ...string) (c *exec.Cmd, stdout, stderr *bytes.Buffer) {
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	c = exec.Command("tune", args...)
	c.Dir, c.Stdout, c.Stderr = folder, stdout, stderr
	c.Env = append(append(os.Environ(), "TMPDIR="+folder), testEnvironment(folder)...)
	return c, stdout, stderr
}
