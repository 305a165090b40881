package main

import (
	"errors"
	"strings"
	"testing"
)

// An algorithm in Go takes the place of its kernel's region, with the kernel's recipe by the names of
// its statements and the first choice of holes.
func TestFromGo(t *testing.T) {
	t.Chdir("../..")
	o := options{size: "mini", kernels: "cvtcolor,vgg-block,gemm", algorithms: true, tuneCommand: "tune", threads: 3}
	list, err := o.subjects()
	if err != nil {
		t.Fatal(err)
	}
	script(t, "tune", `case "$2 $3" in
*cvtcolor\ --naive) cat <<'END'
void cvtcolor(int ROWS, int COLUMNS, const unsigned char image[restrict ROWS][COLUMNS][3], unsigned char grey[restrict ROWS][COLUMNS])
{
#pragma scop statements(grey)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            grey[i][j] = image[i][j][0];
#pragma endscop
}
END
;;
*\ --naive) cat <<'END'
void vgg_block(int N, float one[restrict N])
{
#pragma scop statements(one)
    for (int f = 0; f < N; f++)
        one[f] = 0;
#pragma endscop
}
END
;;
--bench*) cat "$5";;
*) cat "$4";;
esac`)
	for _, s := range list {
		want := map[string][]string{
			"cvtcolor":  {"parallel grey.i", "    cvtcolor(ROWS, COLUMNS, image, grey);\n}", "void kernel_cvtcolor_init("},
			"vgg-block": {"distribute one.f one.y one.x", "by 3 3 4 16 ahead lanes 8", "    vgg_block(N, first);\n}"},
		}[s.benchmark.Kernel()]
		text, err := o.fromGo(t.Context(), s)
		if isOne := want != nil; isOne != (err == nil) || !isOne && !errors.Is(err, errNoOperation) {
			t.Fatalf("%s: %v", s.benchmark.Name, err)
		}
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", s.benchmark.Name, part, text)
			}
		}
		text, err = o.fromC(t.Context(), s)
		if want != nil && (err != nil || !strings.Contains(text, "parallel S0.") || strings.Contains(text, "{")) {
			t.Errorf("%s in C: %v\n%s", s.benchmark.Name, err, text)
		}
	}
}

// The section has the ratio of both, but of no busy machine.
func TestAlgorithmsSection(t *testing.T) {
	d := example()
	d.Peers = append(d.Peers, entry{Name: fromC, Kind: own}, entry{Name: fromGo, Kind: own})
	d.Kernels[0].Results = append(d.Kernels[0].Results, result{Peer: fromC, Status: ok, Seconds: []float64{0.3}},
		result{Peer: fromGo, Status: ok, Seconds: []float64{0.2}})
	text := d.algorithmsSection()
	if !strings.Contains(text, "| gemm | 1 | 0.3 | 0.2 | 1.50 |\n") || !strings.Contains(text, "mean of 1** | | | | **1.50** |") {
		t.Errorf("the section is\n%s", text)
	}
	for k := range d.Kernels {
		d.Kernels[k].Load = [2]float64{9, 9}
	}
	if text := d.algorithmsSection(); strings.Contains(text, "1.50") {
		t.Errorf("ratios of a busy machine:\n%s", text)
	}
}
