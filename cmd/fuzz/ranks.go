package main

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"

	"polytune/codegen"
	"polytune/codegen/mpi"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/ranks"
	"polytune/transform"
)

// rankWords are what recipes of ranks get by chance, of which one list is tried behind the program as
// it is written.
var rankWords = [][]string{
	{"ranks", "exchange"}, {"ranks", "ranks", "exchange", "parallel"}, {"tile", "ranks", "exchange"},
	{"ranks", "exchange", "exchange", "vectorize", "unroll"}, {"shift", "fuse", "ranks"}, {"tile", "ranks", "ghost"}, {"ranks", "ghost", "parallel"}, {"interchange", "ranks", "parallel"},
	{"ranks", "barrier", "exchange", "barrier"}, {"compute", "ranks", "allocate"}, {"tile", "compute", "allocate", "ranks"}, {"skew", "wavefront", "ranks"},
	{"tile", "ranks", "copy", "copy"}, {"ranks", "copy", "exchange", "allocate"},
}

// gridWords are what the model's grids get.
var gridWords = [][]string{{}, {"exchange", "exchange"}, {"ghost"}, {"barrier", "parallel"}, {"tile"}, {"ranks", "exchange"}, {"vectorize", "unroll"}, {"copy", "exchange"}}

// rankNumbers are the numbers of ranks that programs run on, and rankSizes the sizes.
var (
	rankNumbers = []int{1, 2, 3, 4, 6}
	rankSizes   = []randomprogram.Size{{N: 0, M: 1}, {N: 2, M: 3}, {N: 6, M: 7}, {N: 9, M: 6}}
)

// onRanks runs a few variants of the program on ranks, without a compiler, and compares what each rank
// has in the end with the original.
func (s *subject) onRanks(limit int, r *report) error {
	random, seen := draw(s.program.Seed, streamRanks), map[string]bool{}
	for k := range limit {
		err := s.within(func(g *depend.Graph) error { return s.variantOnRanks(g, k, random, seen, r) })
		switch {
		case isl.IsLimit(err):
			r.Slow++
		case err != nil:
			return err
		}
	}
	return nil
}

// variantOnRanks is one of them: the model's, and then by chance. What cannot be told other ranks is
// refused with a reason.
func (s *subject) variantOnRanks(g *depend.Graph, k int, random *rand.Rand, seen map[string]bool, r *report) error {
	recipe, err := rankRecipe(g, k, random)
	if err != nil {
		return err
	}
	text := recipe.Text(g.Model.Program)
	if seen[text] || !has[command.Ranks](recipe) {
		return nil
	}
	seen[text] = true
	program, m, err := mpi.Lower(g, recipe, s.target.Unit, mpi.Options{})
	switch {
	case errors.As(err, new(*ranks.RefusedError)) || has[command.Send](recipe) && refusedByHand(err):
		r.RefusedRanks++
		return nil
	case isl.IsLimit(err):
		return err
	case err != nil:
		return failed{stageSchedule, fmt.Errorf("on ranks: %w\n%s", err, text), text}
	}
	if err := s.compareOnRanks(g, m, program.Code); err != nil {
		return failed{stageResult, fmt.Errorf("on ranks, interpreted: %w\n%s%s", err, text, program), text}
	}
	r.Ranks++
	return nil
}

// rankRecipe is a recipe for ranks: that of the model first, and then, by chance, that of its grid with
// more, its own with messages by hand, or commands behind the program as it is written.
func rankRecipe(g *depend.Graph, k int, random *rand.Rand) (schedule.Recipe, error) {
	kind := 0
	if k > 0 {
		kind = 1 + random.IntN(5)
	}
	switch kind {
	case 0:
		return transform.OnRanks(g, nil, transform.Options{})
	case 1, 2:
		recipe, err := transform.OnRanks(g, nil, transform.Options{Ranks: transform.RankChoice{Loop: transform.RankGrid}})
		if err != nil {
			return nil, err
		}
		return proposed(g, recipe, random, gridWords[random.IntN(len(gridWords))]...), nil
	case 3:
		recipe, err := transform.OnRanks(g, nil, transform.Options{})
		return append(recipe, byHand(g.Model.Program, recipe, random)...), err
	}
	recipe := append(command.Beginning(g.Model.Program), command.Original{})
	return proposed(g, recipe, random, rankWords[random.IntN(len(rankWords))]...), nil
}

// byHand are rows of an array that ranks send both neighbours in front of a loop that they share: as many
// as chance has it, so that some are too few.
func byHand(p *scop.Program, recipe schedule.Recipe, random *rand.Rand) (messages []schedule.Command) {
	var loops []string
	for _, c := range recipe {
		if shared, is := c.(command.Ranks); is {
			loops = append(loops, shared.Loops...)
		}
	}
	if len(loops) == 0 {
		return nil
	}
	array, loop := &p.Arrays[random.IntN(len(p.Arrays))], loops[random.IntN(len(loops))]
	if len(array.Extents) == 0 {
		return nil
	}
	rest := ""
	for _, extent := range array.Extents[1:] {
		rest += "[0 .. " + extent + " - 1]"
	}
	rows, async := random.IntN(3), random.IntN(2) == 0
	element := func(format string) string { return fmt.Sprintf(array.Name+format+rest, rows) }
	return []schedule.Command{
		command.Send{Element: element("[first .. first + %d]"), To: "rank - 1", Loop: loop, Async: async},
		command.Receive{Element: element("[last + 1 .. last + 1 + %d]"), From: "rank + 1", Loop: loop},
		command.Send{Element: element("[last - %d .. last]"), To: "rank + 1", Loop: loop, Async: async},
		command.Receive{Element: element("[first - 1 - %d .. first - 1]"), From: "rank - 1", Loop: loop},
	}
}

// refusedByHand says whether messages by hand are refused, or what is behind them in a recipe.
func refusedByHand(err error) bool {
	return errors.As(err, new(*ranks.HandError)) || errors.As(err, new(*schedule.CommandError))
}

// compareOnRanks compares what ranks have in the end with what the loops of the source leave.
func (s *subject) compareOnRanks(g *depend.Graph, m *scop.Model, code loopir.Code) error {
	original, err := originalCode(g)
	if err != nil {
		return err
	}
	for _, size := range rankSizes {
		values := parametersAt(g.Model.Program, size)
		alone, err := loopir.NewMachine(g.Model, values)
		if err != nil {
			return err
		}
		want, err := alone.Run(original)
		if errors.Is(err, loopir.ErrSteps) {
			continue
		}
		if err != nil {
			return err
		}
		machine, err := loopir.NewMachine(m, values)
		if err != nil {
			return err
		}
		for _, count := range rankNumbers {
			machine.Backwards = !machine.Backwards
			left, _, err := machine.RunOnRanks(code, count)
			if errors.Is(err, loopir.ErrSteps) {
				continue
			}
			if err != nil {
				return fmt.Errorf("at N=%d, M=%d, %d ranks: %w", size.N, size.M, count, err)
			}
			for rank, own := range left {
				if !maps.Equal(own, want) {
					return fmt.Errorf("at N=%d, M=%d: rank %d of %d has something else in the end", size.N, size.M, rank, count)
				}
			}
		}
	}
	return nil
}

// originalCode is the code of the loops as they are written.
func originalCode(g *depend.Graph) (loopir.Code, error) {
	_, recipe, err := transform.Original(g.Model)
	if err != nil {
		return nil, err
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return nil, err
	}
	program, err := codegen.Lower(g.Model, tree.Schedule(g.Model), codegen.Options{Tree: tree, Original: "original"}, nil)
	if err != nil {
		return nil, err
	}
	return program.Code, nil
}

// parametersAt are the values of a program's parameters at a size; elements that nothing changes are 1.
func parametersAt(p *scop.Program, size randomprogram.Size) map[string]int64 {
	values := map[string]int64{}
	for _, name := range p.Parameters {
		values[name] = 1
	}
	values["N"], values["M"] = int64(size.N), int64(size.M)
	return values
}
