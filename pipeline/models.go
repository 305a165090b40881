package pipeline

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"polytune/internal/usage"
	"polytune/runner"
	"polytune/target"
	"polytune/target/registry"
	"polytune/transform"
	"polytune/transform/hyperplane"
)

// SessionModel is what candidates have where their settings do not say otherwise.
var SessionModel = ModelOptions{Model: AxisModel.String(), CoefficientBound: hyperplane.DefaultCoefficientBound, Degrees: 1}

// ModelOptions decide instead of the models.
type ModelOptions struct {
	Model string
	// CoefficientBound is the largest absolute value of a row's coefficients.
	CoefficientBound int
	Tile             string
	// Point is the text of a setting of the models' axes.
	Point string
	Start StartOptions
	// Second asks for tiles of tiles, Degrees for so many loops without
	// dependences inside the one over wavefronts.
	Second  bool
	Degrees int
	// Without are the names of strategies that are left out.
	Without []string
	// Hexagon asks for hexagonal tiles, whose sizes are those of Tile.
	Hexagon bool
}

// AsksShape says whether a shape of stencils is asked for, which nothing else may take the place
// of.
func (o *ModelOptions) AsksShape() bool { return o.Hexagon || transform.AsksShape(o.Point) }

// StartOptions are about tiles that start together.
type StartOptions struct{ Diamond, Full, None bool }

// choice is what they ask for.
func (o *StartOptions) choice() (transform.Diamond, error) {
	switch {
	case o.None && (o.Diamond || o.Full):
		return transform.DiamondOff, usage.Mistake(errors.New("--no-diamond contradicts --diamond and --full-diamond; leave one of them out"))
	case o.Full:
		return transform.DiamondFull, nil
	case o.Diamond:
		return transform.DiamondOne, nil
	}
	return transform.DiamondOff, nil
}

// DefaultModel is the model of commands that are not told which.
const DefaultModel = hyperplane.PlutoPlus

// Name is the name of the model. A setting of the axes that does not say it means
// the axis' default, which never changes, so that the setting of a variant in a
// database makes that variant.
func (o *ModelOptions) Name() string {
	switch {
	case o.Model != "":
		return o.Model
	case o.Point != "":
		return AxisModel.String()
	}
	return DefaultModel.String()
}

// AxisModel is the default of the axis of models.
const AxisModel = hyperplane.Pluto

// Options are the transformation's options on this machine, for the default target.
func (o *ModelOptions) Options(machine runner.Machine) (transform.Options, error) {
	return o.OptionsFor(registry.Default().Describe(machine))
}

// OptionsFor are the transformation's options on a machine as a target describes it.
func (o *ModelOptions) OptionsFor(machine target.Machine) (transform.Options, error) {
	options := transform.Options{CoefficientBound: o.CoefficientBound, Vector: machine.Vector}
	options.Run.Threads = machine.Threads
	for k, bytes := range []*int{&options.CacheBytes, &options.SecondCacheBytes, &options.ThirdCacheBytes} {
		if k < len(machine.Caches) {
			*bytes = machine.Caches[k]
		}
	}
	if o.Degrees < 1 {
		return options, usage.Mistake(fmt.Errorf("--degrees is a positive number, not %d", o.Degrees))
	}
	options.SecondLevel, options.Degrees, options.Skip = o.Second, o.Degrees, o.Without
	for _, name := range o.Without {
		if _, err := transform.StrategyNamed(name); err != nil {
			return options, usage.Mistake(fmt.Errorf("--without: %w", err))
		}
	}
	var err error
	if options.Model, err = hyperplane.ParseModel(o.Name()); err != nil {
		return options, usage.Mistake(err)
	}
	if b := o.CoefficientBound; b < 1 || b > hyperplane.MaxCoefficientBound {
		return options, usage.Mistake(fmt.Errorf("--coefficient-bound is from 1 to %d, not %d", hyperplane.MaxCoefficientBound, b))
	}
	if options.Diamond, err = o.Start.choice(); err != nil {
		return options, err
	}
	switch o.Tile {
	case "":
	case "none":
		options.Tile.None = true
	default:
		for _, word := range strings.Split(o.Tile, ",") {
			size, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
			if err != nil || size < 1 {
				return options, usage.Mistake(fmt.Errorf("tile sizes are positive numbers with commas between them, not %q", o.Tile))
			}
			options.Tile.Sizes = append(options.Tile.Sizes, size)
		}
	}
	if o.Hexagon {
		options.Stencil = transform.Stencil{Shape: transform.HexagonShape, Sizes: options.Tile.Sizes}
		options.Tile.Sizes = nil
	}
	return options, o.checkHexagon()
}

// checkHexagon refuses what contradicts hexagonal tiles.
func (o *ModelOptions) checkHexagon() error {
	switch {
	case !o.Hexagon:
		return nil
	case o.Tile == "none":
		return usage.Mistake(errors.New("--tile none contradicts --hexagon; its sizes are half of a hexagon's steps, its width, and those of the other dimensions"))
	case o.Point != "":
		return usage.Mistake(errors.New("--hexagon and --point both choose; write --point \"stencil=hexagon …\""))
	case o.Start.Diamond || o.Start.Full || o.Second || o.Degrees > 1:
		return usage.Mistake(errors.New("--hexagon contradicts --diamond, --full-diamond, --second-level and --degrees, which are about tiles in wavefronts"))
	}
	return nil
}

// ChooseSpace makes the space of partitions that of the model: with coefficients
// of both signs loops may be reversed to be fused.
func (o *ModelOptions) ChooseSpace(space *SpaceChoice) {
	if o.Name() == hyperplane.PlutoPlus.String() {
		space.Signed = true
	}
}

// IsDefault says whether the options leave all to the models.
func (o *ModelOptions) IsDefault() bool {
	return o.Model == "" && o.Tile == "" && o.Point == "" && o.Start == StartOptions{} && !o.Second && !o.Hexagon && len(o.Without) == 0 && o.Degrees == 1 &&
		o.CoefficientBound == hyperplane.DefaultCoefficientBound
}

// WithoutShape refuses --hexagon where a recipe takes the place of the models.
func (o *ModelOptions) WithoutShape() error {
	if o.Hexagon {
		return usage.Mistake(errors.New("a recipe has its tiles; leave out one of --recipe and --hexagon"))
	}
	return nil
}
