package main

import (
	"fmt"
	"math/rand/v2"

	"polytune/internal/randomprogram"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
	"polytune/space/variant"
	"polytune/transform"
	"polytune/transform/hyperplane"
)

// axes are those of the variants that chance chooses, and settings how many steps
// counting their settings may take.
var axes = func() *variant.Model {
	m, err := variant.New(transform.Axes(), nil)
	if err != nil {
		panic(err)
	}
	return m
}()

const settings = 10_000

// coefficientBounds are what is drawn for the model pluto+. The largest that the command line takes
// are refused for statements of five loops.
var coefficientBounds = []int{1, 2, hyperplane.DefaultCoefficientBound, 63}

// What chance chooses, each from a sequence of its own.
const (
	streamStructures uint64 = 1 + iota
	streamCuts
	streamOptions
	streamSplitOptions
	streamPrivate
	streamPlace
	streamCommands
	streamDevices
	streamHexagons
	streamRanks
	streamOpen
)

// leaveTemporaries is in how many programs one keeps its temporaries as they are.
const leaveTemporaries = 4

// draw makes the choices of one program's variants, the same ones for the same
// seed.
func draw(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// drawOptions are options that chance chooses: a setting of the models' axes,
// any as likely as any other, with tiles so small that full and partial ones
// occur, and a bound of coefficients, which no axis has.
func drawOptions(random *rand.Rand) (transform.Options, error) {
	list, ok := axes.Sample(random, 1, settings)
	if !ok {
		return transform.Options{}, fmt.Errorf("the settings of the axes cannot be counted in %d steps", settings)
	}
	options := transform.OptionsOf(list[0], transform.Options{CacheBytes: cacheBytes, Grain: grain})
	options.Vector = transform.VectorUnit{Bits: 128 << random.IntN(2), Registers: 16}
	if len(options.Tile.Sizes) > 0 {
		options.Tile.Sizes = nil
		for range 1 + random.IntN(3) {
			options.Tile.Sizes = append(options.Tile.Sizes, 1+random.Int64N(6))
		}
	}
	if options.Tile.Scale > 0 || options.Tile.VectorScale > 0 {
		options.CacheBytes = 1 << (6 + random.IntN(9))
	}
	if options.Model == hyperplane.PlutoPlus {
		options.CoefficientBound = coefficientBounds[random.IntN(len(coefficientBounds))]
	}
	return options, nil
}

// drawCuts are where the statements of a program are split: for half of the
// programs where index-set splitting finds a place, and otherwise anywhere.
func (s *subject) drawCuts(random *rand.Rand) (cuts []scop.Cut, err error) {
	if random.IntN(2) == 0 {
		err = s.within(func(g *depend.Graph) error {
			found, err := split.Find(g)
			if err == nil {
				cuts = found.Cuts
			}
			return err
		})
	}
	if len(cuts) > 0 || err != nil {
		return cuts, err
	}
	return randomprogram.Cuts(s.target.Unit.Program, random), nil
}
