package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The section of a small run is as in the golden file.
func TestHandSection(t *testing.T) {
	d := example()
	d.Peers = append(d.Peers, entry{Name: nests, Kind: own}, entry{Name: byHand, Kind: own})
	d.Kernels[0].Results = append(d.Kernels[0].Results, result{Peer: nests, Status: ok, Seconds: []float64{0.5}}, result{Peer: byHand, Status: ok, Seconds: []float64{0.1, 0.2}})
	const golden = "testdata/hand.golden"
	text := d.handSection()
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != text {
		t.Errorf("the section is not that of %s (-update writes it): %v\n%s", golden, err, text)
	}
	d.Kernels[0].Load, d.Kernels[1].Load = [2]float64{9, 9}, [2]float64{9, 9}
	if strings.Contains(d.handSection(), "times as fast the recipe") {
		t.Error("ratios of a busy machine")
	}
}

// Recipes by hand are found for the kernels that have them, with the file that they begin with.
func TestByRecipe(t *testing.T) {
	t.Chdir("../..")
	o := options{size: "mini", kernels: "tiramisu", byHand: true, tuneCommand: "tune", threads: 3}
	list, err := o.subjects()
	if err != nil {
		t.Fatal(err)
	}
	script(t, "tune", `case "$1" in transform) cat "$2" "$4";; emit) echo "original"; cat "benchmarks/$7.c";; esac`)
	got := map[string][]string{}
	for _, s := range list {
		for _, peer := range []string{byHand, nests} {
			text, err := o.byRecipe(peer)(t.Context(), s)
			switch {
			case errors.Is(err, errNoOperation):
			case err != nil:
				t.Errorf("%s, %s: %v", s.benchmark.Name, peer, err)
			case !strings.Contains(text, "original\n") || !strings.Contains(text, s.benchmark.Function()+"("):
				t.Errorf("%s, %s: tune gets %s", s.benchmark.Name, peer, text)
			default:
				got[peer] = append(got[peer], s.benchmark.Kernel())
			}
		}
		if _, err := o.transform(t.Context(), s); s.isBuiltIn() == errors.Is(err, errNoOperation) {
			t.Errorf("%s without a recipe: %v", s.benchmark.Name, err)
		}
	}
	recipes, err := filepath.Glob("benchmarks/tiramisu/*.recipe")
	if err != nil || len(got[byHand]) != len(recipes) {
		t.Errorf("recipes of %v, of %d, %v", got[byHand], len(recipes), err)
	}
	if want := []string{"gaussian-local", "nb"}; !slices.Equal(got[nests], want) {
		t.Errorf("loops as written of %v, want %v", got[nests], want)
	}
}

// What oneDNN and variants of kernels compute is what the kernels do.
func TestHandPrograms(t *testing.T) {
	o := options{size: "mini", kernels: "conv,vgg-block,gaussian", byHand: true}
	list, err := o.subjects()
	if err != nil {
		t.Fatal(err)
	}
	first := quick(t, reference, asWritten)
	for _, s := range list {
		for _, format := range []string{"dnnl_nchw", "dnnl_format_tag_any"} {
			one := spec{name: "library", compilers: gccs, flags: []string{"-O1", "-DDNN_FORMAT=" + format}, objects: [][]string{{"-ldnnl"}}, source: withDNN}
			_, p := one.find(t.Context())
			if p == nil {
				t.Skip("oneDNN is not installed (Debian: libdnnl-dev)")
			}
			c, enters, err := laboratory(t, s, first).enter(t.Context(), p)
			if has := strings.HasPrefix(s.benchmark.Kernel(), "gaussian"); err != nil || enters == has || enters && c.result.Status != ok {
				t.Errorf("%s, %s: %v, %+v", s.benchmark.Name, format, err, c)
			}
		}
	}
}
