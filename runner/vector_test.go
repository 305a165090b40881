package runner

import (
	"context"
	"polytune/target/openmp/omp"
	"testing"
	"testing/fstest"
)

func TestVectorOfMacros(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want Vector
	}{
		"Zen 4":           {"#define __AVX512F__ 1\n#define __AVX2__ 1\n#define __FMA__ 1\n#define __SSE2__ 1\n", Vector{"AVX-512", 512, 32, true}},
		"Zen 3":           {"#define __AVX2__ 1\n#define __AVX__ 1\n#define __FMA__ 1\n#define __SSE2__ 1\n", Vector{"AVX2", 256, 16, true}},
		"Sandy Bridge":    {"#define __AVX__ 1\n#define __SSE2__ 1\n", Vector{"AVX", 256, 16, false}},
		"plain x86-64":    {"#define __SSE2__ 1\n#define __x86_64__ 1\n", Vector{"SSE2", 128, 16, false}},
		"32-bit x86":      {"#define __SSE2__ 1\n#define __i386__ 1\n", Vector{"SSE2", 128, 8, false}},
		"NEON":            {"#define __ARM_NEON 1\n#define __aarch64__ 1\n", Vector{"NEON", 128, 32, true}},
		"SVE, fixed":      {"#define __ARM_NEON 1\n#define __ARM_FEATURE_SVE 1\n#define __ARM_FEATURE_SVE_BITS 512\n", Vector{"SVE", 512, 32, true}},
		"SVE, any":        {"#define __ARM_NEON 1\n#define __ARM_FEATURE_SVE 1\n#define __ARM_FEATURE_SVE_BITS 0\n", Vector{"SVE", 0, 32, true}},
		"POWER":           {"#define __VSX__ 1\n", Vector{"VSX", 128, 64, true}},
		"scalar RISC-V":   {"#define __riscv 1\n", Vector{}},
		"no macro, prose": {"__AVX2__ is not defined here\n", Vector{}},
	} {
		if got := vectorOfMacros(c.text); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestReadVector(t *testing.T) {
	for name, c := range map[string]struct {
		cpuinfo, sve string
		want         Vector
	}{
		"Ice Lake":        {"processor\t: 0\nflags\t\t: fpu lm sse2 avx fma avx2 avx512f avx512vl\n", "", Vector{"AVX-512", 512, 32, true}},
		"Zen 3":           {"flags\t\t: fpu lm sse2 avx fma avx2\n", "", Vector{"AVX2", 256, 16, true}},
		"old, 32-bit":     {"flags\t\t: fpu sse2\n", "", Vector{"SSE2", 128, 8, false}},
		"Neoverse N1":     {"processor\t: 0\nFeatures\t: fp asimd evtstrm aes\n", "", Vector{"NEON", 128, 32, true}},
		"A64FX":           {"Features\t: fp asimd sve\n", "64\n", Vector{"SVE", 512, 32, true}},
		"SVE not offered": {"Features\t: fp asimd sve\n", "", Vector{"NEON", 128, 32, true}},
		"nothing":         {"", "", Vector{}},
	} {
		root := fstest.MapFS{"proc/cpuinfo": {Data: []byte(c.cpuinfo)}}
		if c.sve != "" {
			root["proc/sys/abi/sve_default_vector_length"] = &fstest.MapFile{Data: []byte(c.sve)}
		}
		if got := readVector(root); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestVectorOf(t *testing.T) {
	avx512, sse := Vector{"AVX-512", 512, 32, true}, Vector{"SSE2", 128, 16, false}
	sve, anySVE := Vector{"SVE", 256, 32, true}, Vector{"SVE", 0, 32, true}
	for name, c := range map[string]struct {
		machine  Vector
		compiler *Vector
		want     Vector
	}{
		"flags select less":        {avx512, &sse, sse},
		"the compiler says naught": {avx512, nil, avx512},
		"SVE of any width":         {sve, &anySVE, sve},
	} {
		if got := VectorOf(Machine{Vector: c.machine}, Toolchain{Vector: c.compiler}); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if avx512.Lanes(8) != 8 || avx512.Lanes(4) != 16 || (Vector{}).Lanes(8) != 1 || avx512.Lanes(0) != 1 {
		t.Error("lanes")
	}
}

// TestCompilersVectors asks the real compiler: flags decide, not the processor.
func TestCompilersVectors(t *testing.T) {
	native := gcc(t)
	if native.Vector == nil {
		t.Fatal("gcc tells no macros")
	}
	spec := ToolchainSpec{Runtime: omp.Runtime{}, Name: "gcc", Command: "gcc", Flags: []string{"-O2"}}
	plain, err := FindToolchain(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if m, _ := Detect(""); m.Architecture == "amd64" && *plain.Vector != (Vector{"SSE2", 128, 16, false}) {
		t.Errorf("without -march: %+v", plain.Vector)
	}
}
