package depend

import (
	"errors"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// OverlapError is why blocks that compute instances again do not compute what the program does.
type OverlapError struct {
	Loop, Reason string
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("illegal schedule: the overlapped tiles of %s: %s", e.Loop, e.Reason)
}

// overlappedTiles is a kernel whose blocks compute instances that other blocks compute, too, each
// in memory of its own.
//
// The proof has three parts. Instances of different launches, or outside of the kernel, run in
// order as in any schedule, since all copies of an instance are in one launch (between). In a block
// the copies, taken as instances of their own that depend on those of their block alone, are a
// kernel like others (lifted). And values get from block to block and from launch to launch
// (overlappedMemory): each copy finds in its block the instances of the launch that it depends on,
// what it reads from before the launch is loaded while no block of the launch stores it, each
// element is stored by one block with its last value, and what is not stored nobody reads.
type overlappedTiles struct {
	*Graph
	marks *mark.Table
	mark  mark.Overlapped
	// kernel is the node at which the kernel begins, node that of the mark.
	kernel, node *isl.ScheduleNode
	// instances are those that the blocks compute, as the program has them; extra is the number of
	// dimensions that each statement has in front in the schedule.
	instances *isl.UnionSet
	extra     map[int]int
	// launch are the executions of the kernel.
	launch executions
	// known are the pairs of relations that are in one launch, and ofCopies the graph of the copies,
	// as far as somebody has asked for them.
	known    map[*isl.Map]*isl.Map
	ofCopies *Graph
}

// overlappedOf finds the kernels of overlapped tiles in a schedule. In one that is not complete
// they may have no blocks yet.
func (g *Graph) overlappedOf(marked mark.Schedule, complete bool) (found []*overlappedTiles, err error) {
	var below func(node, kernel *isl.ScheduleNode, around []mark.Mark) error
	below = func(node, kernel *isl.ScheduleNode, around []mark.Mark) error {
		switch m := marked.Marks.Of(node).(type) {
		case nil:
		case mark.Overlapped:
			if kernel == nil && !complete {
				kernel = node
			}
			o, err := g.overlappedAt(marked.Marks, m, kernel, node, around, complete)
			found = append(found, o)
			return err
		case mark.Block:
			if kernel == nil {
				kernel = node
			}
			around = append(slices.Clip(around), m)
		default:
			around = append(slices.Clip(around), m)
		}
		for _, child := range node.Children() {
			if err := below(child, kernel, around); err != nil {
				return err
			}
		}
		return g.Model.Context.Err()
	}
	return found, below(marked.Tree.Root(), nil, nil)
}

// overlappedAt are the tiles of a mark in a kernel, nil for none, with the marks around.
func (g *Graph) overlappedAt(marks *mark.Table, m mark.Overlapped, kernel, node *isl.ScheduleNode, around []mark.Mark, complete bool) (o *overlappedTiles, err error) {
	o = &overlappedTiles{Graph: g, marks: marks, mark: m, kernel: kernel, node: node, extra: map[int]int{}, known: map[*isl.Map]*isl.Map{}, instances: g.Model.Context.ReadUnionSet("{ }")}
	if kernel == nil {
		return nil, o.refused("they are no blocks of a kernel, which the command block makes of the loops over tiles")
	}
	blocks := 0
	for _, outer := range around {
		switch outer := outer.(type) {
		case mark.Block:
			blocks++
		case mark.Box, mark.Hint:
		default:
			return nil, o.refused("nothing proves them inside of the mark %q", outer)
		}
	}
	if inside := node.ScheduleDepth() - kernel.ScheduleDepth(); complete && inside != blocks {
		return nil, o.refused("%d loops of their kernel are around a tile, and %d are blocks", inside, blocks)
	}
	for _, set := range node.Domain().Sets() {
		extra, err := g.extraDimensions(set.TupleName(), set.Dim(isl.DimSet))
		if err != nil {
			return nil, err
		}
		s := g.Model.Statement(set.TupleName())
		o.extra[s.Index] = extra
		o.instances = o.instances.Union(set.Contraction(extra).Range().SetTupleName(s.Name).ToUnionSet())
	}
	if o.launch, err = o.placeOf(o.kernel); err != nil || !complete {
		return o, err
	}
	return o, o.checkLaunches()
}

// checkLaunches proves that all copies of an instance are in one launch.
func (o *overlappedTiles) checkLaunches() error {
	for s, times := range o.launch.times {
		for _, time := range times {
			if one, err := time.IsSingleValued(); err != nil || !one {
				return errors.Join(err, o.refused("%s has copies in several launches of the kernel", o.Model.Statements[s].Spelling()))
			}
		}
	}
	return nil
}

// refused is an error about the tiles.
func (o *overlappedTiles) refused(format string, args ...any) error {
	return &OverlapError{Loop: o.mark.Loop, Reason: fmt.Sprintf(format, args...)}
}

// between is the graph of a program without the dependences between instances of one launch of
// overlapped tiles; of a schedule that is not complete, between all of their instances.
func (g *Graph) between(overlapped []*overlappedTiles, complete bool) (*Graph, error) {
	if len(overlapped) == 0 {
		return g, nil
	}
	left := &Graph{Model: g.Model, Relaxed: g.Relaxed, reaches: g.reaches}
	relations := map[*isl.Map]*isl.Map{}
	for _, d := range g.Dependences {
		if relations[d.Relation] == nil {
			relation := d.Relation
			for _, o := range overlapped {
				if complete {
					relation = relation.Subtract(o.together(d))
					continue
				}
				inside := o.launch
				inside.times = nil
				relation = relation.Subtract(inside.together(d, relation))
			}
			relations[d.Relation] = relation.Coalesce()
		}
		if none, err := relations[d.Relation].IsEmpty(); err != nil {
			return nil, err
		} else if !none {
			other := *d
			other.cones, other.symbolic, other.Relation = cones{}, cones{}, relations[d.Relation]
			left.Dependences = append(left.Dependences, &other)
		}
	}
	left.pairs = merged(left.Dependences)
	return left, g.Model.Context.Err()
}

// together are the pairs of a dependence in one launch.
func (o *overlappedTiles) together(d *Dependence) *isl.Map {
	if o.known[d.Relation] == nil {
		o.known[d.Relation] = o.launch.together(d, d.Relation).Coalesce()
	}
	return o.known[d.Relation]
}

// isOverlapped says whether a node begins a kernel of overlapped tiles, or is their mark.
func isOverlapped(node *isl.ScheduleNode, marks *mark.Table) bool {
	switch marks.Of(node).(type) {
	case mark.Overlapped:
		return true
	case mark.Block:
		return hasOverlapped(node, marks)
	}
	return false
}

// hasOverlapped says whether the mark of overlapped tiles is below a node.
func hasOverlapped(node *isl.ScheduleNode, marks *mark.Table) bool {
	_, is := marks.Of(node).(mark.Overlapped)
	return is || slices.ContainsFunc(node.Children(), func(child *isl.ScheduleNode) bool { return hasOverlapped(child, marks) })
}

// check proves what concerns the blocks of one launch. Copies that depend on each other are in one
// block, so that what is below the mark has their order.
func (o *overlappedTiles) check() error {
	lifted, err := o.lifted()
	if err != nil {
		return err
	}
	times, err := lifted.timesOf(o.node.SubtreeScheduleUnionMap().IntersectDomain(o.node.Domain()))
	if err != nil {
		return err
	}
	if err := lifted.all(func(d *Dependence) error { return lifted.checkOrder(d, times, true) }); err != nil {
		return err
	}
	if err := o.checkMarks(); err != nil {
		return err
	}
	return o.checkMemory(lifted.Model)
}

// checkMarks proves what marks claim of the blocks.
func (o *overlappedTiles) checkMarks() error {
	lifted, err := o.lifted()
	if err != nil {
		return err
	}
	return (&marksCheck{Graph: lifted, marks: o.marks, complete: true}).below(o.kernel, nil)
}

// lifted is the graph of the copies: a program whose statements have the coordinates of tiles as
// iterators, with the dependences between copies in one block.
func (o *overlappedTiles) lifted() (*Graph, error) {
	if o.ofCopies != nil {
		return o.ofCopies, nil
	}
	program := *o.Model.Program
	program.Statements, program.Locals = slices.Clone(program.Statements), nil
	model := &scop.Model{Program: &program, Context: o.Model.Context, Parameters: o.Model.Parameters, Statements: slices.Clone(o.Model.Statements)}
	copies := o.copies()
	for s, extra := range o.extra {
		statement := &program.Statements[s]
		statement.Position = append(make([]int, extra), statement.Position...)
		tiles := make([]scop.Loop, extra)
		for k := range tiles {
			tiles[k].Iterator = "tile"
		}
		statement.Loops = append(tiles, statement.Loops...)
		own := &model.Statements[s]
		own.Statement, own.Domain, own.Accesses = statement, copies[s].Domain(), nil
		for _, access := range o.Model.Statements[s].Accesses {
			own.Accesses = append(own.Accesses, copies[s].ApplyRange(access))
		}
	}
	lifted := &Graph{Model: model}
	blocks, err := lifted.timesOf(o.node.PrefixScheduleUnionMap().IntersectDomain(o.node.Domain()))
	if err != nil {
		return nil, err
	}
	for k := range o.node.ScheduleDepth() {
		lifted.common = append(lifted.common, map[int]*isl.Map{})
		for s := range blocks {
			lifted.common[k][s] = blocks[s][k]
		}
	}
	relations := map[*isl.Map]*isl.Map{}
	for _, d := range o.Dependences {
		source, target := copies[d.Source], copies[d.Target]
		if source == nil || target == nil {
			continue
		}
		if relations[d.Relation] == nil {
			pairs := source.ApplyRange(o.together(d)).ApplyRange(target.Reverse())
			for k := range blocks[d.Source] {
				pairs = pairs.Intersect(compare(blocks[d.Source][k], blocks[d.Target][k], "="))
			}
			relations[d.Relation] = pairs.Coalesce()
		}
		if none, err := relations[d.Relation].IsEmpty(); err != nil {
			return nil, err
		} else if !none {
			other := *d
			other.cones, other.symbolic, other.Relation = cones{}, cones{}, relations[d.Relation]
			lifted.Dependences = append(lifted.Dependences, &other)
		}
	}
	lifted.pairs, o.ofCopies = merged(lifted.Dependences), lifted
	return lifted, o.Model.Context.Err()
}

// copies relate the copies of statements to their instances.
func (o *overlappedTiles) copies() map[int]*isl.Map {
	copies := map[int]*isl.Map{}
	for _, set := range o.node.Domain().Sets() {
		s := o.Model.Statement(set.TupleName())
		copies[s.Index] = set.Contraction(o.extra[s.Index]).SetTupleName(isl.DimOut, s.Name)
	}
	return copies
}
