package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/runner"
)

// All kernels of suite tiramisu have a program of Tiramisu with all that a comparison needs, or a
// reason why there is none.
func TestTheirPrograms(t *testing.T) {
	var want, got []string
	for _, b := range benchmarks.All() {
		if b.Suite() == "tiramisu" {
			want = append(want, b.Kernel())
		}
	}
	for _, p := range theirPrograms() {
		got = append(got, p.Kernel)
		name := p.name()
		if p.Missing != "" {
			if theirProgram(name) != nil {
				t.Errorf("%s has a program, and a reason why it has none", p.Kernel)
			}
			continue
		}
		if p.Generator == "" || p.Object == "" || p.Function == "" || p.About == "" {
			t.Errorf("%s lacks something: %+v", name, p)
		}
		for _, size := range append(slices.Clone(checkSizes), "large") {
			b, err := p.benchmark()
			if err != nil {
				t.Fatal(err)
			}
			s, err := newSubject(b, size)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !s.region.HasInit || s.isBuiltIn() {
				t.Errorf("%s: the kernel has no init, or is one of tune's", name)
			}
			o := options{size: size}
			text, err := o.withTiramisu(t.Context(), s)
			if err != nil || !strings.Contains(text, "    GENERATED(&") || strings.Contains(text, "#pragma scop") {
				t.Errorf("%s with calls: %v\n%s", name, err, text)
			}
		}
	}
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("programs of %v, want %v", got, want)
	}
}

// A folder without Tiramisu's sources is refused with what to do.
func TestIsCheckout(t *testing.T) {
	folder := t.TempDir()
	err := isCheckout(folder)
	if err == nil || !strings.Contains(err.Error(), folder) || !strings.Contains(err.Error(), "git clone https://") || !strings.Contains(err.Error(), "libhalide14-0-dev") {
		t.Errorf("an empty folder: %v", err)
	}
	o := options{size: "mini", kernels: "tiramisu", rounds: 1, minimum: 1, tiramisu: folder}
	if o.check(runner.Machine{}) == nil {
		t.Error("the options are taken with an empty folder")
	}
	o.byHand = true
	if err := o.check(runner.Machine{}); err == nil || !strings.Contains(err.Error(), "runs of their own") {
		t.Errorf("two runs in one: %v", err)
	}
}

// standIn is a folder in the place of Tiramisu's sources, with a generator of one program that writes
// C, for the size that it is told, and a folder in the place of Halide's headers.
func standIn(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	files := map[string]string{
		"src/CMakeLists.txt":      "set(SOURCES\ntiramisu_core.cpp\n)\n",
		"src/tiramisu_core.cpp":   "#include <tiramisu/core.h>\nint answer() { return 0; }\n",
		"include/tiramisu/core.h": "int answer();\n",
		"benchmarks/benchmarks.h": "",
		"halide/Halide.h":         "",
		"halide/HalideRuntime.h": `#include <stdint.h>
typedef enum { halide_type_int, halide_type_uint, halide_type_float } halide_type_code_t;
typedef struct { int32_t min, extent, stride; uint32_t flags; } halide_dimension_t;
typedef struct { uint8_t code, bits; uint16_t lanes; } halide_type_t;
typedef struct { unsigned char *host; halide_type_t type; int32_t dimensions; halide_dimension_t *dim; } halide_buffer_t;
`,
		"benchmarks/halide/ticket_tiramisu.cpp": fmt.Sprintf(`#include <tiramisu/core.h>
#include <cstdio>
struct constant { int value; constant(const char *, int v) : value(v) {} };
int main()
{
    constant N("N", 1024);
    FILE *f = fopen("build/program.c", "w");
    fprintf(f, "#include <HalideRuntime.h>\nint ticket_tiramisu_par_for_i(unsigned char *x, int n) { for (int j = 0; j < n; j++) x[j] = 0; return 0; }\n"
        "int ticket_tiramisu(halide_buffer_t *b) { for (int i = 0; i < %%d; i++) ticket_tiramisu_par_for_i(b->host + i * b->dim[1].stride, i); return 0; }\n", N.value);
    fclose(f);
    return answer() + system("gcc -I%s -c build/program.c -o build/generated_fct_ticket.o");
}
`, filepath.Join(folder, "halide")),
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := slices.Clone(halides)
	halides[0].folder, halides[0].linked = filepath.Join(folder, "halide"), "-lm"
	t.Cleanup(func() { copy(halides, before) })
	return folder
}

// A program is generated for each size, renamed, and called; one whose generator is not there is
// told.
func TestGenerate(t *testing.T) {
	folder := standIn(t)
	o := options{size: "mini", kernels: "ticket-2373,sgemm", tiramisu: folder, threads: 2}
	if err := isCheckout(folder); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	g, err := generate(t.Context(), o, work)
	if err != nil {
		t.Fatal(err)
	}
	if g.failures["ticket-2373"] != "" || !strings.Contains(g.failures["sgemm"], "sgemm_generator.cpp") {
		t.Fatalf("generators that failed: %v", g.failures)
	}
	o.generated = g
	subjects, err := o.subjects()
	if err != nil {
		t.Fatal(err)
	}
	one := tiramisuPeers(o)[1]
	e, p := one.find(t.Context())
	if p == nil || strings.Contains(e.Flags, work) {
		t.Fatalf("the peer is %+v", e)
	}
	first := quick(t, reference, asWritten)
	for _, s := range subjects {
		want := notBuilt
		if s.benchmark.Kernel() == "ticket-2373" {
			want = ok
		}
		checkEntry(t, laboratory(t, s, first), p, want)
	}
	if _, err := generate(t.Context(), options{size: "mini", kernels: "sgemm", tiramisu: folder}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "none of Tiramisu's programs") {
		t.Errorf("without any program: %v", err)
	}
	if _, err := generate(t.Context(), options{size: "mini", kernels: "gemm", tiramisu: folder}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "-kernels tiramisu") {
		t.Errorf("a kernel of PolyBench: %v", err)
	}
	halides[0].folder, halides[1].folder, halides[2].folder = "none", "none", "none"
	if _, err := generate(t.Context(), o, t.TempDir()); err == nil || !strings.Contains(err.Error(), "libhalide14-0-dev") {
		t.Errorf("without Halide: %v", err)
	}
}

// The section has the ratio of the faster of ours, what is missing, and no ratio of a busy machine.
func TestTiramisuSection(t *testing.T) {
	d := example()
	d.Peers = append(d.Peers, entry{Name: tiramisu, Kind: polyhedral, About: "Tiramisu, commit abc"}, entry{Name: byHand, Kind: own})
	d.Kernels[0].Results = append(d.Kernels[0].Results, result{Peer: tiramisu, Status: ok, Seconds: []float64{0.4}}, result{Peer: byHand, Status: ok, Seconds: []float64{0.2}})
	text := d.tiramisuSection()
	for _, part := range []string{"| gemm | 1 | 0.4 | 0.35 | 0.2 | 2.00 |", "mean of 1** | | | | | **2.00** |", "Tiramisu, commit abc", "\n- baryon: "} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	for k := range d.Kernels {
		d.Kernels[k].Load = [2]float64{9, 9}
	}
	if text := d.tiramisuSection(); strings.Contains(text, "2.00") {
		t.Errorf("ratios of a busy machine:\n%s", text)
	}
}
