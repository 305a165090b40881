package transform

import (
	"slices"

	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// mayRelay says whether threads may run through the strips of a matrix as in a relay: sums of rows
// go from thread to thread, the last one computes what depends on complete sums, and then each adds
// up the rows in its own columns, which no other thread has touched.
func mayRelay(g *depend.Graph, o *Options, found *strips, groups [][]int) (bool, error) {
	last := len(groups) - 1
	if !o.Uses(parallelAxis) || !o.Uses(wavefrontAxis) || o.Run.Threads == 1 || last < 1 || last != len(found.between)+1 {
		return false, nil
	}
	sums, added := groups[0], groups[last]
	if found.kinds[sums[0]] != facts.SumsOfRows || found.kinds[added[0]] != facts.SumOfRows {
		return false, nil
	}
	reaches := g.Reaches()
	for k, group := range groups {
		if k > 0 && reaches[group[0]][sums[0]] || k < last && reaches[added[0]][group[0]] {
			return false, nil
		}
	}
	if ahead, err := facts.Forward(g.Within(sums), found.columns); !ahead || err != nil {
		return false, err
	}
	return facts.IsStill(g.Within(added), found.columns)
}

// relay joins the classes of sums of rows, of what they are for, and of one loop between in one where
// threads run through them as in a relay: the matrix comes from the memory once. A logistic
// regression's gradient takes 0.55 of the time so for 2000 x 2000 elements and more (two threads of
// a virtual AMD Zen 4).
func (v View) relay() (*Plan, Reason, error) {
	joined, last := slices.Clone(v.classes[v.class]), v.class+1
	for ; last < len(v.classes) && facts.Deepest(v.graph, v.classes[last]) == 1; last++ {
		joined = append(joined, v.classes[last]...)
	}
	if last == v.class+1 || last == len(v.classes) || len(v.classes[v.class]) != 1 || len(v.classes[last]) != 1 {
		return nil, "it is not one statement in front of ones of one loop and another one behind these", nil
	}
	joined = append(joined, v.classes[last]...)
	slices.Sort(joined)
	if relays, err := v.relays(joined); !relays || err != nil {
		return nil, "they are no sums of rows, what is made of these, and rows added up by it", err
	}
	return &Plan{Classes: [][]int{joined}, Replaced: last + 1 - v.class}, "", nil
}

// relays says whether threads run through a class of statements as in a relay, in which each of
// those between uses a sum for what is added up.
func (p *planner) relays(statements []int) (bool, error) {
	if !p.options.hasModelBlocks() || p.options.Original || p.options.Fusion != FuseSmart {
		return false, nil
	}
	found, err := stripsOf(p.graph, statements)
	if found == nil || err != nil {
		return false, err
	}
	groups, reaches := apartFrom(p.graph, statements), p.graph.Reaches()
	if len(groups) != len(statements) {
		return false, nil
	}
	found.memoryFirst(p.graph, groups)
	for _, s := range found.between {
		if !reaches[groups[0][0]][s] || !reaches[s][groups[len(groups)-1][0]] {
			return false, nil
		}
	}
	relay, err := mayRelay(p.graph, &p.options, found, groups)
	if !relay || err != nil {
		return false, err
	}
	loops, err := p.stripBlocks("", found, relay)
	return err == nil && loops.relay, err
}

// emitRelay emits the commands of the parts of strips, and of the relay in which threads run
// through them. It emits nothing where the parts have no blocks for that.
//
// Measured on two threads of an AMD EPYC (Zen 4: 1 MiB, 32 MiB), gcc 12, in GB/s of the matrix:
// atax takes 56 for 1900 x 2100 doubles, which the third cache has, 31 for 4000 x 4200 and 31 for
// 8000 x 8400, where a triad gives 34; without asking ahead in the second part 51, 27 and 27; in a
// team of threads, for which each waits twice in a strip of 32 rows, 47, 24 and 22. Strips of 8
// rows take 49, 34 and 31. Where the memory gives 47, it takes 39 for 8000 x 8400, and 32 with 8
// rows.
func (p *planner) emitRelay(plan *nodePlan, loops *stripLoops) (bool, error) {
	commands, said, err := p.collect(func() error { return p.decideParts(plan, true) })
	if err != nil {
		return false, err
	}
	var blocks []command.Registers
	for _, c := range commands {
		if c, is := c.(command.Registers); is {
			blocks = append(blocks, c)
		}
	}
	bands := plan.parts[0].bands
	if len(blocks) != 2 || len(blocks[0].Loops) != 1 || len(blocks[1].Loops) != 2 || len(bands) != 1 || len(bands[0].Loops) != 2 {
		return false, nil
	}
	p.keep(commands, said)
	handed := slices.DeleteFunc(slices.Clone(bands[0].Loops), func(loop string) bool { return loop == blocks[0].Loops[0] })
	p.emit(command.Relay{Loop: loops.shared.Loop(1), Handed: handed[0], Shared: blocks[1].Loops[1] + "r", From: facts.LeastRelayed / blocks[1].Sizes[1], Ahead: p.options.Uses(aheadAxis)})
	return true, nil
}
