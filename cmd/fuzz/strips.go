package main

import (
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
)

// withStrips is the recipe with a class of several statements in blocks of the first row of
// its first band, or of the first two in wavefronts, in which they run one after the other as in the source, on threads that start
// outside where chance wants and it is legal; and the recipe itself where there is no such class
// or that is not legal.
func withStrips(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	at := slices.IndexFunc(recipe, func(c schedule.Command) bool {
		b, is := c.(command.Band)
		return is && len(b.Rows[0]) > 1 && !strings.Contains(b.Node, "_")
	})
	if at < 0 {
		return recipe
	}
	band := recipe[at].(command.Band)
	strips := command.Blocks{Node: band.Node, Permutable: band.Permutable, Rows: band.Rows[:1], Sizes: []int64{2 + random.Int64N(3)}}
	inWaves := band.Permutable && len(band.Rows) > 1 && random.IntN(2) == 0
	if inWaves {
		strips.Rows, strips.Sizes = band.Rows[:2], append(strips.Sizes, 2+random.Int64N(3))
	}
	own := []schedule.Command{strips}
	var split command.Split
	var bands []schedule.Command
	for s := range g.Model.Statements {
		if _, inside := band.Rows[0][s]; !inside {
			continue
		}
		if rows := sourceRows(g.Model, s); len(rows) > 0 {
			bands = append(bands, command.Band{Node: band.Node + "_" + string(rune('0'+len(split.Groups))), Rows: rows})
		}
		split.Groups = append(split.Groups, []int{s})
	}
	split.Node = band.Node
	if len(split.Groups) > 9 {
		return recipe
	}
	own = append(append(own, split), bands...)
	others := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool {
		words := strings.Fields(schedule.Text(c, g.Model.Program))
		return len(words) > 1 && (words[1] == band.Node || strings.HasPrefix(words[1], band.Node+".") || strings.HasPrefix(words[1], band.Node+"_"))
	})
	with := append(slices.Clip(others), own...)
	if _, _, err := with.Prove(g); err != nil {
		return recipe
	}
	if inWaves {
		waves := append(slices.Clip(with), command.Wavefront{Loops: []string{strips.Loop(1), strips.Loop(2)}}, command.Parallel{Loop: strips.Loop(2)})
		if _, _, err := waves.Prove(g); err == nil {
			return append(waves, command.Team{Loop: strips.Loop(1)})
		}
	}
	if relayed := withRelay(g, with, strips.Loop(1), random); relayed != nil {
		return relayed
	}
	return withTeam(g, with, strips.Loop(1), random)
}

// withRelay is the recipe with threads that run through the parts of a loop as in a relay, with register blocks in the last part where chance wants, or nil
// where there is one part alone or none of some chosen at random is legal.
func withRelay(g *depend.Graph, recipe schedule.Recipe, outer string, random *rand.Rand) schedule.Recipe {
	node, _, _ := strings.Cut(outer, ".")
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return nil
	}
	root, err := tree.Node(node)
	if err != nil {
		return nil
	}
	last := len(root.Parts) - 1
	if last < 1 || len(root.Parts[0].Loops) == 0 || len(root.Parts[last].Loops) == 0 {
		return nil
	}
	for range 4 {
		with, loops := recipe, root.Parts[last].Loops
		shared := loops[random.IntN(len(loops))].Name
		relay := command.Relay{Loop: outer, Handed: root.Parts[0].Loops[random.IntN(len(root.Parts[0].Loops))].Name, Shared: shared, From: 1 + random.Int64N(3), Ahead: random.IntN(2) == 0}
		if random.IntN(2) == 0 {
			with = append(slices.Clip(with), command.Registers{Loops: []string{shared}, Sizes: []int64{2 + random.Int64N(3)}})
			relay.Shared += "r"
		}
		with = append(slices.Clip(with), relay)
		if _, _, err := with.Prove(g); err == nil {
			return with
		}
	}
	return nil
}

// sourceRows are the rows of a statement's own loops.
func sourceRows(model *scop.Model, s int) []map[int]schedule.Row {
	depth := model.Statements[s].Depth()
	var rows []map[int]schedule.Row
	for k := range depth {
		row := schedule.Row{Iterators: make([]int64, depth), Parameters: make([]int64, len(model.Program.Parameters))}
		row.Iterators[k] = 1
		rows = append(rows, map[int]schedule.Row{s: row})
	}
	return rows
}

// randomExtents are none, or one parameter of the program.
func randomExtents(random *rand.Rand, p *scop.Program) []schedule.Row {
	if len(p.Parameters) == 0 || random.IntN(2) == 0 {
		return nil
	}
	extent := schedule.Row{Parameters: make([]int64, len(p.Parameters)), Constant: random.Int64N(3) - 1}
	extent.Parameters[random.IntN(len(p.Parameters))] = 1
	return []schedule.Row{extent}
}

// withTeam is the recipe with parallel loops inside the loop of that name, and a team
// there, as far as that is legal.
func withTeam(g *depend.Graph, recipe schedule.Recipe, outer string, random *rand.Rand) schedule.Recipe {
	node, _, _ := strings.Cut(outer, ".")
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return recipe
	}
	root, err := tree.Node(node)
	if err != nil {
		return recipe
	}
	marked := recipe
	for _, part := range root.Parts {
		if len(part.Loops) == 0 {
			continue
		}
		loop := part.Loops[random.IntN(len(part.Loops))].Name
		with := append(slices.Clip(marked), command.Parallel{Loop: loop})
		if random.IntN(2) == 0 {
			with = append(with, command.Threads{Loop: loop, From: 1 + random.Int64N(3), Of: randomExtents(random, g.Model.Program)})
		}
		if _, _, err := with.Prove(g); err == nil {
			marked = with
		}
	}
	with := append(slices.Clip(marked), command.Team{Loop: outer})
	if _, _, err := with.Prove(g); err != nil {
		return marked
	}
	return with
}
