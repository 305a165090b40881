package main

import (
	"context"
	"os/exec"
	"strings"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/target"
	"polytune/target/gpu"
)

// repeated is the code of a recipe that failed once, to be compared with the original; none for "",
// and for a recipe with commands of devices, which is compared here.
func (s *subject) repeated(recipe string) ([]string, error) {
	if recipe == "" {
		return nil, nil
	}
	if isForDevices(recipe) {
		return nil, s.againOnDevice(recipe)
	}
	source, err := s.again(recipe)
	return []string{source}, err
}

// isForDevices says whether a recipe has commands that are for devices alone.
func isForDevices(recipe string) bool {
	return command.All.CheckFor(recipe, schedule.Processors, "cpu") != nil && command.All.CheckFor(recipe, schedule.Devices, gpu.CUDA.Name()) == nil
}

// again is the code of a recipe for processors.
func (s *subject) again(recipe string) (source string, err error) {
	v, err := replay(*s.target, recipe)
	return strings.TrimPrefix(string(v.Source), s.prelude), err
}

// againOnDevice compares the kernels of a recipe with the original, by the emulation of CUDA.
func (s *subject) againOnDevice(recipe string) error {
	from := *s.target
	from.On = gpu.CUDA
	v, err := replay(from, recipe)
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("g++"); err != nil {
		return nil
	}
	if err := s.compareOn(gpu.CUDA, emulations, target.Code{Text: v.Source, Device: v.Device}); err != nil {
		return failed{stageResult, err, recipe}
	}
	return nil
}

// replay proves a recipe and prints its code.
func replay(t pipeline.Target, recipe string) (v variant.Variant, err error) {
	at, parsed, err := t.ReadRecipe(recipe)
	if err == nil {
		v, err = variant.Replay(context.Background(), at, parsed)
	}
	if err != nil && !isl.IsLimit(err) {
		err = failed{stageSchedule, err, recipe}
	}
	return v, err
}
