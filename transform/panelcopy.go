package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
)

// A block of columns of a matrix whose rows are long lies in as many pages as it has rows, and each
// step of a panel passes over all of them: a processor keeps the addresses of some tens of pages at
// hand. So a block is copied to memory of its own, row behind row, for all steps of a panel, and
// back behind them. gramschmidt of 1200 x 1000 doubles takes 0.68 of the time so on one thread of a
// virtual AMD Zen 4 (gcc 12), and 0.75 on two.
//
// Each panel has copies of all blocks behind it, a quarter of the updates' time on that machine: so
// where all uses are copies, the array lies block by block while all panels run, brought there and
// back once. What the panel's own steps have made lies so as well then, and the updates read it
// there. That takes 0.8 of the time again.

// emitPanelCopies emits the copies of the blocks of columns that all steps of a panel update, and
// of the panel itself while its own steps run, with what these make of it; and their layout, block
// by block, for all panels.
func (p *planner) emitPanelCopies(plan *nodePlan, f *panels) error {
	var blocks, made []string
	for _, s := range f.updates {
		u, err := panelUpdateOf(p.graph, plan.partOf(s), f)
		if err != nil {
			return err
		}
		for a, kind := range u.kinds {
			array := p.graph.Model.Program.Statements[s].Accesses[a].Array
			switch kind {
			case columnsAlone:
				blocks = append(blocks, array)
			case panelOperand:
				made = append(made, array)
			}
		}
	}
	for _, array := range distinct(blocks) {
		p.emitCopy(array, f.command.In(ofOthers, f.tiles.Loop(2)))
	}
	for _, array := range distinct(append(blocks, made...)) {
		p.emitCopy(array, f.command.In(ofPanel, f.tiles.Loop(2)))
	}
	for _, array := range distinct(blocks) {
		p.emitLegal(command.Layout{Array: array, Loop: f.command.Loop})
	}
	for _, array := range distinct(made) {
		p.emitLegal(command.Copy{Array: array, Loop: f.command.In(ofOthers, f.tiles.Loop(2))}, command.Layout{Array: array, Loop: f.command.Loop})
	}
	return nil
}

// distinct are the different ones of some names, in order.
func distinct(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// emitCopy emits the copy of an array's elements in each iteration of a loop, where the loop's
// statements can have one: of an array with rows.
func (p *planner) emitCopy(array, loop string) {
	if len(p.graph.Model.Program.Array(array).Extents) > 1 {
		p.emitLegal(command.Copy{Array: array, Loop: loop})
	}
}

// emitLegal emits some commands where the tree can have all of them.
func (p *planner) emitLegal(commands ...schedule.Command) {
	if _, err := append(slices.Clip(p.recipe), commands...).Replay(p.graph.Model.Program); err == nil {
		for _, c := range commands {
			p.emit(c)
		}
	}
}
