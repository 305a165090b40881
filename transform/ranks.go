package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// OnRanks is the program as it is written, with the outermost loops shared out over ranks that carry
// no dependence, and threads in each rank. Loops whose statements write what data decide run on all
// ranks.
func OnRanks(g *depend.Graph) (schedule.Recipe, error) {
	p := g.Model.Program
	recipe := schedule.Recipe{command.Original{}}
	tree, err := recipe.Replay(p)
	if err != nil {
		return nil, err
	}
	facts, err := FactsOf(g, tree)
	if err != nil {
		return nil, err
	}
	var loops []string
	var walk func(nodes []*schedule.Node)
	walk = func(nodes []*schedule.Node) {
		for _, n := range nodes {
			perhaps := slices.ContainsFunc(n.Statements, func(s int) bool { return p.Statements[s].WritesPerhaps() })
			k := slices.IndexFunc(n.Loops, func(l *schedule.Loop) bool { return facts[l.Name].Parallel })
			if k >= 0 && !perhaps {
				loops = append(loops, n.Loops[k].Name)
				continue
			}
			walk(n.Parts)
		}
	}
	walk(tree.Classes)
	shared := slices.DeleteFunc(loops, func(l string) bool {
		return append(slices.Clip(recipe), command.Ranks{Loops: []string{l}}).Check(g) != nil
	})
	if len(shared) == 0 {
		return recipe, nil
	}
	recipe = append(recipe, command.Ranks{Loops: shared})
	for _, l := range shared {
		if threads := append(slices.Clip(recipe), command.Parallel{Loop: l}); threads.Check(g) == nil {
			recipe = threads
		}
	}
	return recipe, nil
}
