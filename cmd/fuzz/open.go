package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/pipeline/byhand"
	"polytune/pipeline/variant"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/schedule/refusal"
	"polytune/scop/depend"
	variants "polytune/space/variant"
)

// openShare is which part of a program's variants are of recipes that leave something open.
const openShare = 5

// illegalShare is which part of the commands are there without being known to be legal.
const illegalShare = 4

// behindOriginal are lists of commands of which one is proposed behind the program as it is written,
// before the recipe is opened.
var behindOriginal = [][]string{{"parallel"}, {"tile", "parallel"}, {"tile"}, {"interchange", "unroll"}, {"skew", "tile"}, {"shift", "fuse"}, {"vectorize"}, {"tile", "compute"}, {"copy"}, {"registers"}}

// openVariants are programs of recipes that leave something open, filled as chance chooses: at most
// limit, the legal ones. A filled recipe says what the open one says, and makes the same program when
// it is read again.
func (s *subject) openVariants(random *rand.Rand, limit int, r *report) (sources []string, err error) {
	for range limit {
		text, err := s.drawOpen(random)
		if err != nil {
			return nil, err
		}
		source, err := s.filled(text, random, r)
		switch {
		case isl.IsLimit(err):
			r.Slow++
		case err != nil:
			return nil, failed{stageSchedule, fmt.Errorf("%w\n%s", err, text), ""}
		case source != "":
			sources = append(sources, source)
		}
	}
	return sources, nil
}

// drawOpen is the text of a recipe that leaves something open, which may be illegal.
func (s *subject) drawOpen(random *rand.Rand) (text string, err error) {
	err = s.within(func(g *depend.Graph) error {
		p := g.Model.Program
		recipe := append(command.Beginning(p), command.Original{})
		lines := strings.Split(strings.TrimSpace(recipe.Text(p)), "\n")
		if stored := command.All["store"].Random(random, &schedule.Tree{Program: p}); len(stored) > 0 && random.IntN(3) == 0 {
			lines = append(lines, schedule.Text(stored[0], p))
		}
		for _, word := range behindOriginal[random.IntN(len(behindOriginal))] {
			tree, err := recipe.Replay(p)
			if err != nil {
				return err
			}
			more := proposed(g, recipe, random, word)
			added := more[len(recipe):]
			if random.IntN(illegalShare) == 0 {
				added = command.All[word].Random(random, tree)
			}
			for _, c := range added {
				lines = append(lines, opened(schedule.Text(c, p), schedule.Text(added[0], p), random))
			}
			recipe = more
		}
		if random.IntN(2) == 0 {
			lines = append(lines, "complete")
		}
		text = strings.Join(lines, "\n") + "\n"
		return nil
	})
	return text, err
}

// factor is a number that a command is given.
var factor = regexp.MustCompile(` by( \d+)+`)

// opened is a command that leaves something open: a number, whether it is there, or which of two
// commands it is.
func opened(line, other string, random *rand.Rand) string {
	line = factor.ReplaceAllStringFunc(line, func(by string) string {
		words := strings.Fields(by)
		for k, word := range words[1:] {
			number, err := strconv.Atoi(word)
			if err != nil || number < 1 || random.IntN(2) == 0 {
				continue
			}
			holes := []string{fmt.Sprintf("{%d,%d}", number, 2*number), "{2..8}"}
			if name, _, _ := strings.Cut(line, " "); slices.Contains([]string{"tile", "skew", "shift"}, name) {
				holes = append(holes, "?")
			}
			words[k+1] = holes[random.IntN(len(holes))]
		}
		return " " + strings.Join(words, " ")
	})
	switch random.IntN(4) {
	case 0:
		return "try " + line
	case 1:
		if line != other {
			return "either " + line + " | " + other
		}
	}
	return line
}

// filled is the program of an open recipe with holes that chance fills; "" where it is refused.
func (s *subject) filled(text string, random *rand.Rand, r *report) (source string, err error) {
	open, err := byhand.Read("recipe", text)
	if err != nil {
		return "", refusedOr(err)
	}
	options, err := drawOptions(random)
	if err != nil {
		return "", err
	}
	choices := byhand.Choices{Holes: map[int]int64{}}
	for _, axis := range open.Axes(choices) {
		values := axis.Choices()
		choices.Choose(axis.Name, variants.Word(values[random.IntN(len(values))]))
	}
	filled, err := open.Fill(context.Background(), s.target, choices, options)
	if err != nil {
		return "", refusedOr(err)
	}
	v, err := variant.Replay(context.Background(), filled.Target, filled.Recipe)
	if err != nil {
		return "", refusedOr(filled.Explain(context.Background(), err))
	}
	if err := saysAll(open, filled); err != nil {
		return "", err
	}
	source = strings.TrimPrefix(string(v.Source), s.prelude)
	again, err := s.again(filled.Text())
	if err == nil && again != source {
		err = errors.New("the filled recipe makes another program when it is read again")
	}
	r.countOpen(open, filled)
	return source, err
}

// refusedOr is nil for refusals of recipes, and other errors as they are.
func refusedOr(err error) error {
	if errors.As(err, new(*refusal.Refusal)) {
		return nil
	}
	return err
}

// saysAll says whether a filled recipe has the commands of the open one, in their order, in front of
// what the models have added; those that it tries may be missing.
func saysAll(open *byhand.Recipe, filled *byhand.Filled) error {
	lines := filled.Lines
	for _, l := range open.Script.Lines {
		if len(lines) > 0 && lines[0].Number == l.Number {
			lines = lines[1:]
		} else if !l.Try {
			return fmt.Errorf("line %d is missing in the filled recipe\n%s", l.Number, filled.Text())
		}
	}
	if len(lines) != len(filled.Added) {
		return fmt.Errorf("%d lines stand behind what the recipe says, and %d commands are added\n%s", len(lines), len(filled.Added), filled.Text())
	}
	return nil
}

// countOpen counts a filled recipe that is compared.
func (r *report) countOpen(open *byhand.Recipe, filled *byhand.Filled) {
	if open.Script.IsOpen() {
		r.Opened++
	}
	if len(filled.Added) > 0 {
		r.Completed++
	}
	if len(filled.Target.Whole.Storages) > 0 {
		r.Stored++
	}
	r.Variants++
}
