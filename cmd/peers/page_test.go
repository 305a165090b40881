package main

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// example is a run with all that can happen in one.
func example() *data {
	return &data{
		Date: "2026-11-21", Size: "large", Threads: 2, Source: "abc1234",
		Machine: machine{CPU: "a processor", Architecture: "amd64", Cores: 2, Caches: []string{"L1 32 KiB", "L2 512 KiB"}, MemoryGiB: 8, System: "Linux 6.1", Virtual: true},
		Peers: []entry{
			{Name: reference, Kind: compiler, About: "the source as it is", Compiler: "gcc 12.2.0", Flags: "-O3"},
			{Name: "polly", Kind: polyhedral, About: "clang's", Compiler: "clang-19 19.1.7", Flags: "-O3 -mllvm -polly"},
			{Name: "pluto", Kind: polyhedral, About: "polycc", Missing: "polycc is not on PATH"},
			{Name: "blis", Kind: library, About: "BLIS", Compiler: "gcc 12.2.0", Flags: "-lblis", Environment: []string{"BLIS_NUM_THREADS=2"}},
			{Name: untuned, Kind: own, About: "without timing", Compiler: "gcc 12.2.0", Flags: "-O3 -fopenmp"},
			{Name: tuned, Kind: own, About: "the best", Compiler: "gcc 12.2.0", Flags: "-O3 -fopenmp"},
		},
		Kernels: []kernel{
			{Name: "polybench/gemm", Load: [2]float64{0.5, 2.25}, Results: []result{
				{Peer: reference, Status: ok, Seconds: []float64{1, 1.2, 0.9}}, {Peer: "polly", Status: ok, Seconds: []float64{0.4, 0.5, 0.45}},
				{Peer: "blis", Status: ok, Seconds: []float64{0.1, 0.1}}, {Peer: untuned, Status: ok, Seconds: []float64{0.3, 0.4}}, {Peer: tuned, Status: ok, Seconds: []float64{0.2, 0.2, 0.3}},
			}},
			{Name: "polybench/lu", Load: [2]float64{1, 1}, Results: []result{
				{Peer: reference, Status: ok, Seconds: []float64{0.004}}, {Peer: "polly", Status: wrong, Detail: "wrong result: array A: the sum is 1\nmore"},
				{Peer: untuned, Status: ok, Seconds: []float64{0.005}}, {Peer: tuned, Status: failed, Detail: "the run took more than 1m0s and was killed"},
			}},
		},
	}
}

// The page of a small run is as in the golden file.
func TestPage(t *testing.T) {
	page := example().page([]note{{Kernel: "polybench/lu", Reason: "Its loops are short.\n", Slower: 1.3}})
	path := filepath.Join("testdata", "page.golden")
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if page != string(golden) {
		t.Errorf("the page is\n%s\nwant\n%s\n(go test -update rewrites it)", page, golden)
	}
}

// A run on a busy machine says so, and claims nothing.
func TestBusy(t *testing.T) {
	d := example()
	if strings.Contains(d.page(nil), busy) {
		t.Error("a free machine is called busy")
	}
	for i := range d.Kernels {
		d.Kernels[i].Load = [2]float64{3.5, 4}
	}
	if page := d.page(nil); !strings.Contains(page, busy) || strings.Contains(page, "times as fast") || d.problems(nil) != nil {
		t.Errorf("the page of a busy machine is\n%s", page)
	}
}

// Times are medians, or the least ones where the data say so; a wrong or failed
// result has none.
func TestTimes(t *testing.T) {
	d := example()
	k := &d.Kernels[0]
	if seconds, known := d.time(k, reference); !known || seconds != 1 {
		t.Errorf("the median is %v, %v", seconds, known)
	}
	d.Minima = true
	if seconds, known := d.time(k, reference); !known || seconds != 0.9 {
		t.Errorf("the least time is %v, %v", seconds, known)
	}
	if name, _ := d.bestPeer(&d.Kernels[1]); name != reference {
		t.Errorf("the best peer of lu is %s, whose other peer is wrong", name)
	}
	if name, _ := d.ours(&d.Kernels[1]); name != untuned {
		t.Errorf("polytune's is %s, where the tuned variant failed", name)
	}
}

// The results come back as they were written.
func TestSaving(t *testing.T) {
	path := filepath.Join(t.TempDir(), "peers.json")
	d := example()
	if err := d.save(path); err != nil {
		t.Fatal(err)
	}
	if got, err := load(path); err != nil || !reflect.DeepEqual(got, d) {
		t.Errorf("%+v, %v is loaded, %+v was saved", got, err, d)
	}
	if err := os.WriteFile(path, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{path, path + "x"} {
		if _, err := load(bad); err == nil {
			t.Errorf("%s is loaded", bad)
		}
	}
}

// Whoever is not 1.2 times as fast needs a reason, whoever is slower a stated
// exception that is large enough, and no note is there in vain.
func TestProblems(t *testing.T) {
	gemm := note{Kernel: "polybench/gemm", Reason: "because"}
	lu := func(slower float64) note { return note{Kernel: "polybench/lu", Reason: "because", Slower: slower} }
	for _, test := range []struct {
		about string
		notes []note
		want  []string
	}{
		{"nothing is said", nil, []string{"lu: polytune is 0.80 times as fast as the best peer, gcc, and nothing says why"}},
		{"all is said", []note{lu(1.26)}, nil},
		{"no reason", []note{{Kernel: "polybench/lu", Slower: 2}}, []string{"nothing says why"}},
		{"no exception", []note{lu(0)}, []string{"lu: polytune takes 1.25 times as long as the best peer, gcc, and at most 1.05 is stated"}},
		{"too small an exception", []note{lu(1.2)}, []string{"and at most 1.20 is stated"}},
		{"not needed", []note{lu(1.3), gemm}, []string{"gemm: polytune is 2.25 times as fast as the best peer, polly, and needs no note"}},
	} {
		got := example().problems(test.notes)
		if len(got) != len(test.want) {
			t.Errorf("%s: the problems are %q, want %q", test.about, got, test.want)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], test.want[i]) {
				t.Errorf("%s: the problem is %q, want %q", test.about, got[i], test.want[i])
			}
		}
	}
	d := example()
	d.Kernels[1].Results = d.Kernels[1].Results[:2]
	if got := d.problems(nil); len(got) != 1 || !strings.Contains(got[0], "polytune has no result") {
		t.Errorf("without results of polytune the problems are %q", got)
	}
}

// Notes are read strictly; without a file there are none.
func TestReadNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.yaml")
	if all, err := readNotes(path); err != nil || all != nil {
		t.Errorf("no file gives %v, %v", all, err)
	}
	for text, want := range map[string][]note{
		"":              nil,
		"# nothing yet": nil,
		"- kernel: a\n  reason: b\n  slower: 1.5\n": {{"a", "b", 1.5}},
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if all, err := readNotes(path); err != nil || !reflect.DeepEqual(all, want) {
			t.Errorf("%q gives %v, %v", text, all, err)
		}
	}
	if err := os.WriteFile(path, []byte("- kernle: a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readNotes(path); err == nil {
		t.Error("a misspelled key is accepted")
	}
}
