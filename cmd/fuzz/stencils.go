package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"polytune/internal/randomprogram"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/space"
	"polytune/target"
	"polytune/transform"
)

// hexagonTries is how many sizes of hexagons the campaign of stencils tries for each program.
const hexagonTries = 3

// checkStencil takes a program through all stages with hexagonal tiles alone.
func checkStencil(p *randomprogram.Program, r *report) error {
	s, err := newSubject(p)
	if err != nil {
		return err
	}
	whole := structure{nest: space.Nest{make(space.Partition, len(s.target.Unit.Program.Statements))}}
	return s.hexagons(whole, hexagonTries, r)
}

// hexagons tiles a stencil by hexagons whose sizes chance chooses, on threads or as kernels, and
// compares what they compute with the original. A program that has no such tiles is refused with a
// reason.
func (s *subject) hexagons(from structure, tries int, r *report) error {
	random := draw(s.program.Seed, streamHexagons)
	var sources []string
	for range tries {
		options := transform.Options{CacheBytes: cacheBytes, Grain: grain}
		if random.IntN(3) == 0 {
			options = options.WithOff("vector")
		}
		options.Stencil = s.drawHexagon(random)
		var source string
		var err error
		if random.IntN(3) == 0 {
			source, err = s.hexagonsOnThreads(from, options)
		} else {
			err = s.hexagonsOnDevice(from, options, random)
		}
		if reason := (*transform.NoStencil)(nil); errors.As(err, &reason) {
			r.Refused++
			continue
		}
		if err != nil {
			return err
		}
		if source != "" {
			sources = append(sources, source)
		}
		r.Hexagons++
	}
	return s.compareResults(sources)
}

// drawHexagon are the sizes of hexagons, and the model's now and then.
func (s *subject) drawHexagon(random *rand.Rand) transform.Stencil {
	stencil := transform.Stencil{Shape: transform.HexagonShape}
	if random.IntN(5) == 0 {
		return stencil
	}
	depth := 0
	for _, statement := range s.target.Unit.Program.Statements {
		depth = max(depth, statement.Depth())
	}
	stencil.Sizes = []int64{1 + random.Int64N(5), 2 + random.Int64N(9)}
	for len(stencil.Sizes) < depth {
		stencil.Sizes = append(stencil.Sizes, 1+random.Int64N(12))
	}
	return stencil
}

// hexagonsOnThreads is the code whose threads share hexagons.
func (s *subject) hexagonsOnThreads(from structure, options transform.Options) (source string, err error) {
	err = s.within(func(g *depend.Graph) error {
		recipe, err := transform.TransformNest(g, from.nest, options)
		if err != nil {
			return s.failedVariant(stageTransform, from, options, "", err)
		}
		text := recipe.Text(s.target.Unit.Program)
		code, err := s.target.On.Print(g, recipe, s.target.Unit)
		if err != nil {
			return s.failedVariant(stageSchedule, from, options, text, fmt.Errorf("%w\n%s", err, text))
		}
		source = strings.TrimPrefix(string(code.Text), s.prelude)
		return nil
	})
	return source, err
}

// hexagonsOnDevice compares kernels whose blocks are hexagons with the original, if something here
// runs them; their elements are in shared memory, or not.
func (s *subject) hexagonsOnDevice(from structure, options transform.Options, random *rand.Rand) error {
	on, devices := devicesOf(random)
	if len(devices) == 0 {
		return nil
	}
	options.Device = deviceShapes[random.IntN(len(deviceShapes))]
	if random.IntN(3) == 0 {
		options.Without = []mark.Memory{mark.Shared}
	}
	options.Stencil.Early, options.Stencil.Columns = random.IntN(2) == 0, random.IntN(2) == 0
	var code target.Code
	var text string
	err := s.within(func(g *depend.Graph) error {
		recipe, _, err := transform.OnDevice(g, from.nest, options)
		if err != nil {
			return s.failedVariant(stageTransform, from, options, "", err)
		}
		text = recipe.Text(s.target.Unit.Program)
		if code, err = on.Print(g, recipe, s.target.Unit); err != nil {
			return s.failedVariant(stageSchedule, from, options, text, fmt.Errorf("%w\n%s", err, text))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.compareOn(on, devices, code); err != nil {
		return failed{stageResult, fmt.Errorf("%s: %w\n%s%s", on.Name(), err, text, code.Device.Text), text}
	}
	return nil
}
