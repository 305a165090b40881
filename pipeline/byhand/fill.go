package byhand

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/schedule/refusal"
	"polytune/scop"
	"polytune/scop/depend"
	variants "polytune/space/variant"
	"polytune/transform"
)

// parse reads a recipe.
func parse(p *scop.Program, text string) (schedule.Recipe, error) { return command.Parse(p, text) }

// openLine is a line of a recipe that is being filled.
type openLine struct {
	schedule.Line
	// option is the command with its holes, values the numbers that are known of them.
	option schedule.ScriptOption
	values map[int]int64
	// found says how numbers were found that nobody has chosen, "" for none.
	found string
	// try says that the command is left out where it is illegal, without that it is.
	try, without bool
}

// written is the line with a number in the place of holes that have none yet.
func (l *openLine) written(instead int64) schedule.Line {
	return schedule.Line{Number: l.Number, Column: l.Column, In: l.In, Text: l.option.Text(func(h schedule.NumberHole) (int64, bool) {
		if value, has := l.values[h.Number]; has {
			return value, true
		}
		return instead, true
	})}
}

// open are the holes without a number.
func (l *openLine) open() (holes []schedule.NumberHole) {
	for _, h := range l.option.Holes {
		if _, has := l.values[h.Number]; !has {
			holes = append(holes, h)
		}
	}
	return holes
}

// filling fills a recipe.
type filling struct {
	*Filled
	graph   *depend.Graph
	options transform.Options
	// models is the setting with which the models complete the recipe.
	models variants.Setting
	lines  []*openLine
}

// Fill gives the recipe's holes values for a target: those of choices, or the first ones, or what
// the models with their options or a proof say. A recipe that cannot be read is a *refusal.Refusal.
// Whether the result is legal is another question.
func (r *Recipe) Fill(ctx context.Context, t *pipeline.Target, choices Choices, options transform.Options) (*Filled, error) {
	f := &filling{Filled: &Filled{path: r.Path}, options: options, models: choices.Models, lines: r.chosen(choices.Holes)}
	if !f.isOpen() && r.Script.Complete == 0 {
		f.note(r)
		return f.read(t)
	}
	if _, err := f.read(t); err != nil {
		return nil, err
	}
	if err := f.Target.Complete(&f.options); err != nil {
		return nil, err
	}
	err := f.Target.WithGraph(ctx, func(g *depend.Graph) error {
		f.graph = g
		for _, step := range []func() error{f.sizes, f.smallest, f.tries} {
			if err := step(); err != nil {
				return err
			}
		}
		f.note(r)
		if r.Script.Complete == 0 {
			return nil
		}
		return f.complete(r.Script.Complete)
	})
	if err != nil {
		return nil, err
	}
	return f.read(t)
}

// chosen are the recipe's lines with the numbers for holes.
func (r *Recipe) chosen(choices map[int]int64) (lines []*openLine) {
	for _, line := range r.Script.Lines {
		option := line.Options[0]
		if chosen := choices[line.Choice]; line.Choice > 0 && chosen > 0 {
			option = line.Options[chosen-1]
		}
		open := &openLine{Line: line.Line, option: option, values: map[int]int64{}, try: line.Try}
		for _, hole := range option.Holes {
			if value, has := choices[hole.Number]; has {
				open.values[hole.Number] = value
			} else if len(hole.Values) > 0 {
				open.values[hole.Number] = hole.Values[0]
			}
		}
		lines = append(lines, open)
	}
	return lines
}

// note notes what the lines with holes have become, in front of what else is noted.
func (f *filling) note(r *Recipe) {
	var notes []string
	for k, line := range r.Script.Lines {
		l := f.lines[k]
		if line.Choice > 0 || len(l.option.Holes) > 0 {
			notes = append(notes, fmt.Sprintf("%s:%d: %s: %s", r.Path, line.Number, cmp.Or(l.found, "chosen"), l.written(1).Text))
		}
	}
	f.Notes = append(notes, f.Notes...)
}

// isOpen says whether something is left to be decided.
func (f *filling) isOpen() bool {
	return slices.ContainsFunc(f.lines, func(l *openLine) bool { return l.try || len(l.open()) > 0 })
}

// written are the lines that are not left out.
func (f *filling) written() (lines []schedule.Line) {
	for _, l := range f.lines {
		if !l.without {
			lines = append(lines, l.written(1))
		}
	}
	return lines
}

// read reads the recipe for the target, with what it says about the program.
func (f *filling) read(t *pipeline.Target) (*Filled, error) {
	f.Lines = f.written()
	at, recipe, err := t.ReadRecipe(text(f.Lines))
	if r := (refusal.Source{Recipe: f.path, Program: t.LinePath(), Lines: f.Lines}).OfCommand(err); r != nil {
		return nil, r
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	f.Target, f.Recipe = at, recipe
	return f.Filled, nil
}

// settled is the recipe of some lines, with what its commands find by the dependences.
func (f *filling) settled(lines []schedule.Line) (schedule.Recipe, error) {
	recipe, err := parse(f.graph.Model.Program, text(lines))
	if err != nil {
		return nil, err
	}
	settled, _, err := recipe.Settled(f.graph)
	return settled, err
}

// isLegal says whether the recipe as it is now is proven.
func (f *filling) isLegal() (bool, error) {
	recipe, err := f.settled(f.written())
	if isl.IsLimit(err) {
		return false, err
	}
	if err != nil {
		return false, nil
	}
	err = recipe.Check(f.graph)
	if isl.IsLimit(err) {
		return false, err
	}
	return err == nil, nil
}

// asked is the command of a line, with numbers in the place of its holes.
func (f *filling) asked(l *openLine) (schedule.Command, error) {
	return command.All.ReadLine(f.graph.Model.Program, l.written(1).Text)
}

// refused is an error about a line.
func (f *filling) refused(l *openLine, err error) error {
	return &refusal.Refusal{File: f.path, Line: l.Number, Command: l.Text, In: l.In, Reason: err.Error(), Err: err}
}

// sizes fills what the models choose: sizes of tiles, and lanes.
func (f *filling) sizes() error {
	for k, l := range f.lines {
		holes := l.open()
		if len(holes) == 0 {
			continue
		}
		c, err := f.asked(l)
		if err != nil {
			return f.refused(l, err)
		}
		switch c := c.(type) {
		case command.Skew, command.Shift:
		case command.Tile:
			sizes, err := f.tileSizes(k, c)
			if err != nil {
				return f.refused(l, err)
			}
			f.fillSizes(l, sizes)
		default:
			return f.refused(l, fmt.Errorf("no model chooses a number of %s; write it, or several to choose from, such as {4,8}", schedule.Name(c)))
		}
	}
	return nil
}

// fillSizes gives the holes among the sizes of a tile command those of the same places.
func (f *filling) fillSizes(l *openLine, sizes []int64) {
	for _, hole := range l.open() {
		before := l.option.Text(func(h schedule.NumberHole) (int64, bool) { return 1, h.Number < hole.Number })
		before = before[:strings.Index(before, "?")]
		_, before, _ = strings.Cut(before, " by ")
		place := len(strings.Fields(before))
		if place < len(sizes) {
			l.values[hole.Number], l.found = sizes[place], "the models choose"
		}
	}
}

// tileSizes are the models' for a tile command in its line.
func (f *filling) tileSizes(line int, c command.Tile) ([]int64, error) {
	var before []schedule.Line
	for _, l := range f.lines[:line] {
		if !l.try {
			before = append(before, l.written(1))
		}
	}
	recipe, err := f.settled(before)
	if err != nil {
		return nil, err
	}
	tree, err := recipe.Beginning(len(recipe), f.graph.Model.Program)
	if err != nil {
		return nil, err
	}
	graph, err := tree.Graph(f.graph)
	if err != nil {
		return nil, err
	}
	return transform.TileSizes(graph, tree, tree.InOwnNames(c).(command.Tile).Loops, f.options)
}

// mostTried bounds the numbers that are tried for a hole, and mostTries those for all holes
// together.
const mostTried, mostTries = 16, 64

// smallest fills factors and shifts with the smallest with which the recipe is legal: of several
// holes those whose sum is the smallest. Where none is, they have 1, and the recipe is refused.
func (f *filling) smallest() error {
	var holes []func(int64)
	var lines []*openLine
	for _, l := range f.lines {
		for _, hole := range l.open() {
			lines = append(lines, l)
			holes = append(holes, func(value int64) { l.values[hole.Number] = value })
		}
	}
	if len(holes) == 0 {
		return nil
	}
	f.leaveOut(true)
	defer f.leaveOut(false)
	tries := 0
	for sum := len(holes); sum <= mostTried+len(holes)-1 && tries < mostTries; sum++ {
		for values := range sumsTo(len(holes), sum) {
			for k, set := range holes {
				set(values[k])
			}
			if tries++; tries > mostTries {
				break
			}
			legal, err := f.isLegal()
			if err != nil {
				return err
			}
			if legal {
				for _, l := range lines {
					l.found = "the smallest that is legal"
				}
				return nil
			}
		}
	}
	for _, set := range holes {
		set(1)
	}
	return nil
}

// sumsTo yields the lists of so many numbers from 1 on with a sum.
func sumsTo(count, sum int) func(func([]int64) bool) {
	return func(yield func([]int64) bool) {
		var rest func(chosen []int64, left int) bool
		rest = func(chosen []int64, left int) bool {
			if len(chosen) == count-1 {
				return yield(append(slices.Clone(chosen), int64(left)))
			}
			for value := 1; value <= left-(count-len(chosen)-1); value++ {
				if !rest(append(slices.Clone(chosen), int64(value)), left-value) {
					return false
				}
			}
			return true
		}
		rest(nil, sum)
	}
}

// leaveOut leaves all lines out that are tried, or takes them in.
func (f *filling) leaveOut(out bool) {
	for _, l := range f.lines {
		l.without = l.try && out
	}
}

// tries takes in what is tried, line by line, where the recipe stays legal so.
func (f *filling) tries() error {
	f.leaveOut(true)
	for _, l := range f.lines {
		if !l.try {
			continue
		}
		l.without = false
		legal, err := f.isLegal()
		if err != nil {
			return err
		}
		if l.without = !legal; !legal {
			f.Notes = append(f.Notes, fmt.Sprintf("%s:%d: %s is left out: it is not legal", f.path, l.Number, l.written(1).Text))
		}
	}
	return nil
}
