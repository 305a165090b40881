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

// withStrips is the recipe with a class of several statements in blocks of the first row of its
// first band, or of the first two in wavefronts, in which they run one after the other as in the
// source, on threads that start outside where chance wants and it is legal; and the recipe itself
// where there is no such class or that is not legal.
func withStrips(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	at := slices.IndexFunc(recipe, func(c schedule.Command) bool {
		b, is := c.(command.Band)
		return is && len(b.Rows[0]) > 1 && !strings.Contains(b.Node, "_")
	})
	if at < 0 {
		return recipe
	}
	band := recipe[at].(command.Band)
	strips := command.Blocks{Node: band.Node, Permutable: band.Permutable, Rows: schedule.RowsOf(band.Rows[:1]), Sizes: []int64{2 + random.Int64N(3)}}
	inWaves := band.Permutable && len(band.Rows) > 1 && random.IntN(2) == 0
	if inWaves {
		strips.Rows, strips.Sizes = schedule.RowsOf(band.Rows[:2]), append(strips.Sizes, 2+random.Int64N(3))
	}
	own := []schedule.Command{strips}
	var split command.Split
	var bands []schedule.Command
	for s := range g.Model.Statements {
		if _, inside := band.Rows[0][s]; !inside {
			continue
		}
		if rows := sourceRows(g.Model, s); len(rows) > 0 {
			bands = append(bands, command.Band{Node: band.Node + "_" + string(rune('0'+len(split.Groups))), Rows: schedule.Affine(rows)})
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
	if relayed := proposed(g, with, random, "relay"); has[command.Relay](relayed) {
		return relayed
	}
	return proposed(g, with, random, "team")
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
