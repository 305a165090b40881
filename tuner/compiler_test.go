package tuner

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"polytune/internal/quicklink"
	"polytune/runner"
	"polytune/store"
	"polytune/target/openmp/omp"
)

// compilerless gives the generator candidates without their compilers, and keeps these.
type compilerless struct {
	*generator
	mutex     sync.Mutex
	compilers map[string]bool
}

func (g *compilerless) Generate(ctx context.Context, c Candidate) (Generated, error) {
	name, others := SplitCompiler(c.Axis)
	g.mutex.Lock()
	g.compilers[name] = true
	g.mutex.Unlock()
	c.Axis = others
	return g.generator.Generate(ctx, c)
}

// withFurther is a request whose own compiler, "plain", does not optimise, with another
// one that builds the original, too.
func withFurther(t *testing.T, further runner.Toolchain, axes ...string) Request {
	t.Helper()
	r := request(t, &generator{}, axes...)
	r.Generator = &compilerless{generator: &generator{}, compilers: map[string]bool{}}
	plain, err := runner.FindToolchain(context.Background(), runner.ToolchainSpec{
		Runtime: omp.Runtime{}, Name: "plain", Command: "gcc", Flags: []string{"-O0", "-fopenmp"}, CheckFlags: r.Toolchain.CheckFlags, Libraries: r.Toolchain.Libraries})
	if err != nil {
		t.Fatal(err)
	}
	if further.Name == "" {
		further = r.Toolchain
	}
	r.Toolchain, r.Compilers = plain, []runner.Toolchain{further}
	r.Candidates = append(r.Candidates, Candidate{Axis: CompilerSetting(further.Name, "")})
	return r
}

// scripted is a further compiler that is gcc but for the shell commands.
func scripted(t *testing.T, commands string) runner.Toolchain {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cc")
	compilerScript(t, path, "12.1.0", commands)
	found, err := runner.FindToolchain(context.Background(), runner.ToolchainSpec{
		Runtime: omp.Runtime{}, Name: "script", Command: path, Flags: []string{"-O1", "-fopenmp"}, CheckFlags: []string{"-O0", "-fopenmp"}, Libraries: append(quicklink.Options(), "-lm")})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// byVariant are the statuses of variants without the hashes of their recipes.
func byVariant(result Result, r Request) map[string]store.Status {
	found := map[string]store.Status{}
	for _, row := range result.Rows {
		variant, compiler := store.SplitVariant(row.Variant)
		if len(row.Partition) > 1 {
			variant = r.Candidates[row.Partition[1]].Axis
		}
		found[store.BuiltBy(variant, compiler)] = row.Status
	}
	return found
}

func TestSeveralCompilers(t *testing.T) {
	r := withoutScreening(withFurther(t, runner.Toolchain{}, "blocked", "wrong"))
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]store.Status{"original": store.OK, "original@gcc": store.OK, "blocked": store.OK, "blocked@gcc": store.OK, "wrong": store.WrongResult}
	if got := byVariant(result, r); !maps.Equal(got, want) {
		t.Errorf("variants %v; want %v", got, want)
	}
	if _, compiler := store.SplitVariant(result.First.Variant); compiler != "gcc" || result.Builder(result.First.Variant).ID != r.Compilers[0].ID {
		t.Errorf("first is %s, built by %s; gcc without -O0 makes the faster programs", result.First.Variant, result.Builder(result.First.Variant).Name)
	}
	if result.Tried != 4 || result.Candidates != 4 || !result.Complete || result.Recipe == "" || len(result.Best.Partition) == 0 {
		t.Errorf("tried %d of %d, complete %v, best %+v with recipe %q", result.Tried, result.Candidates, result.Complete, result.Best, result.Recipe)
	}
	best, err := r.Store.Best(context.Background(), store.BestQuery{Kernel: r.Kernel})
	variants := map[string]string{} // by compiler: which one is the faster, a busy machine may see otherwise
	for _, b := range best {
		variants[b.Toolchain] = b.Variant.ID
	}
	own, further := variants[r.Toolchain.ID], variants[r.Compilers[0].ID]
	if err != nil || len(best) != 2 || !strings.HasSuffix(further, "@gcc") || own == "" || strings.Contains(own, "@") {
		t.Fatalf("the store's best are %+v, %v", best, err)
	}
	if made := r.Generator.(*compilerless).compilers; !made["gcc"] || !made[""] {
		t.Errorf("code was made for %v", made)
	}
	again, err := Tune(context.Background(), r)
	if err != nil || !again.Recalled || again.Best.Variant != result.Best.Variant || again.Recipe != result.Recipe {
		t.Errorf("again: recalled %v, best %+v, %v", again.Recalled, again.Best, err)
	}
	alone := r
	alone.Compilers, alone.Candidates = nil, r.Candidates[:2]
	if own, err := Tune(context.Background(), alone); err != nil || own.Recalled || own.Tried != 2 {
		t.Errorf("without the further compiler: recalled %v, tried %d, %v", own.Recalled, own.Tried, err)
	}
}

// An interrupted session goes on with all of its compilers.
func TestSeveralCompilersResume(t *testing.T) {
	axes := []string{"blocked", "slow", "backward"}
	calm := withFurther(t, runner.Toolchain{}, axes...)
	undisturbed, err := Tune(context.Background(), calm)
	if err != nil {
		t.Fatal(err)
	}
	r := withFurther(t, runner.Toolchain{}, axes...)
	interruptions := 0
	for _, done := range []int{1, 4, 5, 6} {
		ctx, cancel := context.WithCancel(context.Background())
		r.Progress = func(e Event) {
			if e.Done >= done {
				cancel()
			}
		}
		_, err := Tune(ctx, r)
		cancel()
		if err != nil && !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
		if err != nil {
			interruptions++
		}
	}
	r.Progress = nil
	resumed, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if interruptions < 2 {
		t.Errorf("%d interruptions", interruptions)
	}
	if got, want := byVariant(resumed, r), byVariant(undisturbed, calm); !maps.Equal(got, want) || len(got) < 6 {
		t.Errorf("resumed:\n%v\nundisturbed:\n%v", got, want)
	}
	expectVariantsOnce(t, r, len(undisturbed.Rows))
}

// What is wrong with a further compiler fails what it builds, and nothing else.
func TestFurtherCompilerFails(t *testing.T) {
	for name, c := range map[string]struct {
		commands string
		status   store.Status
		detail   string
	}{
		"cannot build the original": {`case "$*" in *variant.c*) echo no such luck >&2; exit 1 ;; esac`, store.CompileFailed, "no such luck"},
		"computes something else":   {`case "$*" in *variant.c*) sed -i 's/0\.5/0.25/' variant.c ;; esac`, store.WrongResult, "wrong result: b["},
	} {
		t.Run(name, func(t *testing.T) {
			r := withFurther(t, scripted(t, c.commands), "blocked")
			result, err := Tune(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]store.Status{"original": store.OK, "original@script": c.status, "blocked": store.OK, "blocked@script": c.status}
			if got := byVariant(result, r); !maps.Equal(got, want) {
				t.Errorf("variants %v; want %v", got, want)
			}
			if got := detail(result, c.status); strings.Count(got, "the original program, built by script: ") != 2 || !strings.Contains(got, c.detail) {
				t.Errorf("details %s", got)
			}
			if strings.Contains(result.Best.Variant, "@") {
				t.Errorf("best is %s", result.Best.Variant)
			}
		})
	}
}

// The further compilers are watched, too.
func TestFurtherCompilerIsReplaced(t *testing.T) {
	further := scripted(t, "")
	r := withFurther(t, further, "blocked", "backward")
	r.Settings.Jobs = 1
	var once sync.Once
	r.Generator.(*compilerless).at = func(axis string) {
		if axis == "backward" {
			once.Do(func() { compilerScript(t, further.Path, "13.1.0", "") })
		}
	}
	_, err := Tune(context.Background(), r)
	var changed *runner.ToolchainChangedError
	if !errors.As(err, &changed) || !strings.Contains(err.Error(), "gcc 12.1.0") {
		t.Errorf("error %v", err)
	}
}

// A candidate's compiler is one of the session's, and names are clear.
func TestCompilersMakeSense(t *testing.T) {
	for want, change := range map[string]func(*Request){
		`for the compiler "icc"`:   func(r *Request) { r.Candidates[0].Axis = "cc=icc blocked" },
		`two compilers are called`: func(r *Request) { r.Compilers[0].Name = "plain" },
		`has no partition`:         func(r *Request) { r.Candidates[0] = Candidate{Axis: "cc=plain"} },
	} {
		r := withFurther(t, runner.Toolchain{}, "blocked")
		change(&r)
		if _, err := Tune(context.Background(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q", err, want)
		}
	}
}

func TestSplitCompiler(t *testing.T) {
	for axis, want := range map[string][2]string{
		"":                             {"", ""},
		"tile=wide":                    {"", "tile=wide"},
		"cc=gcc":                       {"gcc", ""},
		"cc=/opt/gcc/bin/gcc tile=off": {"/opt/gcc/bin/gcc", "tile=off"},
		"accc=gcc cc=x y=1":            {"x", "accc=gcc y=1"},
		"cc=x tile=sizes tile.1=32":    {"x", "tile=sizes tile.1=32"},
	} {
		name, others := SplitCompiler(axis)
		if name != want[0] || others != want[1] {
			t.Errorf("%q is %q and %q; want %q", axis, name, others, want)
		}
		if name != "" && CompilerSetting(name, others) != axis {
			t.Errorf("%q with %q is %q", name, others, CompilerSetting(name, others))
		}
	}
}

// Recorded candidates of a compiler that this session does not have tell it nothing.
func TestLearnsOfItsCompilers(t *testing.T) {
	r := withFurther(t, runner.Toolchain{}, "blocked")
	if _, err := Tune(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	rows, err := r.Store.Recorded(context.Background(), store.RecordedQuery{Kernel: r.KernelID, Size: r.Size, Before: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	var settings []string
	for _, row := range rows {
		settings = append(settings, row.Setting)
	}
	if want := []string{"blocked", "blocked cc=gcc"}; !slices.Equal(settings, want) {
		t.Errorf("recorded %q; want %q, without an original", settings, want)
	}
}
