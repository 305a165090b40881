package byhand

import (
	"errors"
	"fmt"
	"slices"

	"polytune/device"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform"
)

// complete adds what the models make of what is left open, in the line of that number.
func (f *filling) complete(number int) error {
	if legal, err := f.isLegal(); !legal {
		return err // the recipe is refused as it is
	}
	recipe, err := f.settled(f.written())
	if err != nil {
		return err
	}
	graph, err := recipe.Graph(f.graph)
	if err != nil {
		return err
	}
	classes, err := transform.Complete(graph, recipe, f.completing(graph))
	if err != nil {
		return errors.Join(fmt.Errorf("%s:%d: the models cannot complete it: %w", f.path, number, err))
	}
	if legal, err := f.takeIn(graph.Model.Program, slices.Concat(classes...), number); legal || err != nil {
		return err
	}
	for k, own := range classes {
		if legal, err := f.takeIn(graph.Model.Program, own, number); err != nil {
			return err
		} else if !legal {
			f.Notes = append(f.Notes, fmt.Sprintf("%s:%d: what the models make of class c%d is not legal, and left out", f.path, number, k))
		}
	}
	return nil
}

// takeIn adds what the models make to the lines, in the line of a number, if it is legal.
func (f *filling) takeIn(p *scop.Program, more schedule.Recipe, number int) (legal bool, err error) {
	before := len(f.lines)
	for _, c := range more {
		l := &openLine{Line: schedule.Line{Number: number, Text: schedule.Text(c, p)}}
		l.option = schedule.WholeCommand(l.Text)
		f.lines = append(f.lines, l)
	}
	if legal, err = f.isLegal(); err != nil || !legal {
		f.lines = f.lines[:before]
		return false, err
	}
	for _, l := range f.lines[before:] {
		f.Notes = append(f.Notes, fmt.Sprintf("%s:%d: the models add: %s", f.path, number, l.Text))
	}
	f.Added = append(f.Added, more...)
	return true, nil
}

// completing are the models' options with which they complete the recipe.
func (f *filling) completing(g *depend.Graph) transform.Options {
	if !f.Target.IsOnDevice() {
		return transform.OptionsOf(f.models, f.options)
	}
	options := transform.DeviceOptionsOf(f.models, f.options)
	options.Device.Host = device.Refused(g.Model)
	return options
}
