package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"polytune/internal/quicklink"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/layers/run"
	"polytune/layers/run/beside"
	"polytune/scop/depend"
)

// stageLayer is where C leaves something else than Layer I says.
const stageLayer = "layer I"

// layerSizes are those of the program's sizes at which Layer I is evaluated.
var layerSizes = []randomprogram.Size{{N: 1, M: 1}, {N: 4, M: 4}, {N: 9, M: 6}}

// compareLayer evaluates Layer I of the program beside what its C leaves, and says whether it could:
// not where data decide what is written, or isl takes too long.
func (s *subject) compareLayer() (evaluated bool, err error) {
	source := &beside.Source{Text: s.source, Program: s.target.Whole}
	for _, data := range s.program.Data(s.layout) {
		if data.Global {
			source.Globals = append(source.Globals, data.Name)
		}
	}
	var sizes []map[string]int
	for _, size := range layerSizes {
		for _, other := range s.layout.Sizes {
			if other == size {
				sizes = append(sizes, map[string]int{"N": size.N, "M": size.M})
			}
		}
	}
	runs, err := calls(source, sizes)
	if err != nil {
		return false, failed{stage: stageLayer, err: err}
	}
	err = s.within(func(g *depend.Graph) error {
		for k := range runs {
			difference, err := runs[k].Compare(g.Model, run.Options{})
			if err == nil && difference != "" {
				err = errors.New(difference)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if isl.IsLimit(err) || errors.As(err, new(*run.Beyond)) {
		return false, nil
	}
	if err != nil {
		return false, failed{stage: stageLayer, err: err}
	}
	return true, nil
}

// calls builds the program and runs it at some sizes.
func calls(source *beside.Source, sizes []map[string]int) ([]beside.Run, error) {
	text, err := source.Main(sizes)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "polytune-fuzz-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "layer")
	if err := os.WriteFile(path+".c", []byte(text), 0o644); err != nil {
		return nil, err
	}
	build := append([]string{"gcc", "-w", "-O0", "-fwrapv", "-ffp-contract=off", "-o", path, path + ".c", "-lm"}, quicklink.Options()...)
	if err := runSilent(build...); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	printed, err := exec.Command(path).Output()
	if err != nil {
		return nil, err
	}
	return beside.Read(printed)
}
