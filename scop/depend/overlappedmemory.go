package depend

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/flow"
	"polytune/scop/mark"
)

// overlappedMemory is where values of overlapped tiles are. A block has the number of its launch
// and its own as coordinates.
type overlappedMemory struct {
	*overlappedTiles
	boxes []*boxes.Box
	// runs relate instances to the blocks that compute them, and keeps those of them whose values a
	// block stores to that block.
	runs, keeps map[int]*isl.Map
	// kept are the instances whose values some block stores.
	kept map[int]*isl.Set
	// written are the arrays that the blocks write, stored relates blocks to the elements of each
	// that they store.
	written []string
	stored  map[string]*isl.Map
	// launches is the number of a block's coordinates that are its launch's.
	launches int
}

// checkMemory proves that values get from where they are computed to where they are read. The model
// is that of the copies.
func (o *overlappedTiles) checkMemory(lifted *scop.Model) error {
	found, err := boxes.In(lifted, o.marks, o.kernel)
	if err != nil {
		return fmt.Errorf("illegal schedule: %w", err)
	}
	m := &overlappedMemory{overlappedTiles: o, boxes: found, launches: o.kernel.ScheduleDepth(), runs: map[int]*isl.Map{}, keeps: map[int]*isl.Map{}, kept: map[int]*isl.Set{}, stored: map[string]*isl.Map{}}
	if err := m.findBlocks(); err != nil {
		return err
	}
	inMemory := []func() error{m.checkBoxed, m.checkBoxes, m.checkSources, m.checkLoads}
	if o.mark.Streaming != nil {
		inMemory = []func() error{m.checkNoBoxes, m.checkReads, m.checkSources, m.checkStoredOnce, m.checkStreamed}
	}
	for _, check := range append(append([]func() error{m.checkAccesses}, inMemory...), m.checkStores, m.checkSwapped, m.checkLater) {
		if err := check(); err != nil {
			return err
		}
	}
	return m.Model.Context.Err()
}

// findBlocks finds which blocks compute and store what.
func (m *overlappedMemory) findBlocks() error {
	copies, stores := m.copies(), map[string]*isl.Set{}
	for _, set := range m.Model.Context.ReadUnionSet(m.mark.Stored).Sets() {
		stores[set.TupleName()] = set
	}
	for _, blocks := range m.node.PrefixScheduleUnionMap().IntersectDomain(m.node.Domain()).Maps() {
		name := blocks.TupleName(isl.DimIn)
		s := m.Model.Statement(name)
		own := copies[s.Index].Reverse()
		m.runs[s.Index] = own.ApplyRange(blocks).Coalesce()
		stored := blocks.Subtract(blocks)
		if stores[name] != nil {
			stored = blocks.IntersectDomain(stores[name])
		}
		m.keeps[s.Index] = own.ApplyRange(stored).Coalesce()
		m.kept[s.Index] = m.keeps[s.Index].Domain()
	}
	return m.Model.Context.Err()
}

// statements are those whose instances the blocks compute, in order.
func (m *overlappedMemory) statements() []int { return slices.Sorted(maps.Keys(m.runs)) }

// checkAccesses finds what blocks write, and proves that it is known which elements they touch of
// that.
func (m *overlappedMemory) checkAccesses() error {
	for _, s := range m.statements() {
		for _, access := range m.Model.Statements[s].Statement.Accesses {
			if access.Write && !slices.Contains(m.written, access.Array) {
				m.written = append(m.written, access.Array)
			}
		}
	}
	for _, s := range m.statements() {
		statement := &m.Model.Statements[s]
		for _, access := range statement.Statement.Accesses {
			switch {
			case m.Model.Program.PrivateLoops(access.Array) > 0:
				return m.refused("%s has a variable of its own, %s, for each iteration", statement.Spelling(), access.Array)
			case !slices.Contains(m.written, access.Array):
			case access.May:
				return m.refused("data decide which elements of %s %s touches", access.Array, statement.Spelling())
			}
		}
	}
	for _, d := range m.Relaxed {
		if m.runs[d.Source] != nil {
			return m.refused("%s adds up in any order", m.Model.Statements[d.Source].Spelling())
		}
	}
	return nil
}

// checkBoxed proves that all that blocks write, and read of that, is in shared memory.
func (m *overlappedMemory) checkBoxed() error {
	for _, s := range m.statements() {
		for _, access := range m.Model.Statements[s].Statement.Accesses {
			isBoxed := slices.ContainsFunc(m.boxes, func(b *boxes.Box) bool { return b.Array == access.Array && b.References == "" })
			if slices.Contains(m.written, access.Array) && !isBoxed {
				return m.refused("%s touches elements of %s, which blocks write, in global memory; copy %s at %s to shared", m.Model.Statements[s].Spelling(), access.Array, access.Array, m.mark.Loop)
			}
		}
	}
	return nil
}

// checkBoxes proves that copies are a whole tile's.
func (m *overlappedMemory) checkBoxes() error {
	for _, box := range m.boxes {
		if box.Memory != mark.Shared || box.Depth != m.node.ScheduleDepth() || box.Overlapped == nil {
			return m.refused("the copy of %s is not in shared memory for all of a tile; copy %s at %s to shared", box.Array, box.Array, m.mark.Loop)
		}
		if elements := box.StoredElements(); elements != nil {
			m.stored[box.Array] = elements.ProjectOut(isl.DimIn, box.Depth, boxes.Dimensions)
		}
	}
	return nil
}

// inLaunch are the pairs of a dependence in one launch; nil where another kernel runs one of both.
func (m *overlappedMemory) inLaunch(d *Dependence) *isl.Map {
	if m.runs[d.Source] == nil || m.runs[d.Target] == nil {
		return nil
	}
	return m.together(d)
}

// checkSources proves that a copy finds in its block the instances of its launch whose values it
// may read, and that what a block stores has been written for the last time in the launch.
func (m *overlappedMemory) checkSources() error {
	for _, d := range m.Dependences {
		pairs := m.inLaunch(d)
		if pairs == nil {
			continue
		}
		from, to := m.Model.Statements[d.Source].Spelling(), m.Model.Statements[d.Target].Spelling()
		if d.Kind == RAW {
			missing := pairs.ApplyRange(m.runs[d.Target]).Subtract(m.runs[d.Source])
			if none, err := missing.IsEmpty(); err != nil || !none {
				return errors.Join(err, m.refused("a tile computes instances of %s and not those of %s that they read, such as %s", to, from, exampleOf(missing.Domain())))
			}
		}
		if d.Kind == WAW {
			missing := pairs.Reverse().ApplyRange(m.keeps[d.Source]).Subtract(m.runs[d.Target])
			if none, err := missing.IsEmpty(); err != nil || !none {
				return errors.Join(err, m.refused("a tile stores what %s writes, and other tiles overwrite it later by %s, such as %s", from, to, exampleOf(missing.Domain())))
			}
		}
	}
	return nil
}

// checkLoads proves that what a copy reads from before the launch is loaded, and stored by no other
// block of the launch.
func (m *overlappedMemory) checkLoads() error {
	for _, box := range m.boxes {
		needed, err := m.neededOf(box.Array)
		if err != nil {
			return err
		}
		if needed == nil {
			continue
		}
		loaded, err := box.Loaded(m.Model)
		if err != nil {
			return err
		}
		if loaded == nil {
			return m.refused("nothing of %s is loaded", box.Array)
		}
		loaded = loaded.ProjectOut(isl.DimIn, box.Depth, boxes.Dimensions)
		if has, err := needed.IntersectParams(m.Model.Parameters).IsSubset(loaded); err != nil || !has {
			return errors.Join(err, m.refused("a tile does not load all elements of %s that it reads and the launch has not written, such as %s", box.Array, exampleOf(needed.Subtract(loaded).Range())))
		}
		stored := m.stored[box.Array]
		if stored == nil || slices.Contains(m.mark.Swapped, box.Array) {
			continue
		}
		both := m.others(needed.ApplyRange(stored.Reverse()))
		if none, err := both.IsEmpty(); err != nil || !none {
			return errors.Join(err, m.refused("a tile stores elements of %s that others of the same launch may not have loaded yet, such as %s; with another number of steps they may be others", box.Array, exampleOf(needed.Range().Intersect(stored.Range()))))
		}
	}
	return nil
}

// neededOf relates blocks to the elements of an array that they read from before the launch; nil
// for none.
func (m *overlappedMemory) neededOf(array string) (needed *isl.Map, err error) {
	for _, t := range m.statements() {
		statement := &m.Model.Statements[t]
		for k, access := range statement.Statement.Accesses {
			if access.Array != array || !access.Read {
				continue
			}
			instances := m.runs[t].Domain()
			for _, d := range m.Dependences {
				if d.Kind == RAW && d.Target == t && d.TargetAccess == k {
					if pairs := m.inLaunch(d); pairs != nil {
						instances = instances.Subtract(pairs.Range())
					}
				}
			}
			own := m.runs[t].IntersectDomain(instances).Reverse().ApplyRange(statement.Accesses[k]).Coalesce()
			if needed == nil {
				needed = own
			} else {
				needed = needed.Union(own)
			}
		}
	}
	return needed, m.Model.Context.Err()
}

// others are the pairs of different blocks of one launch.
func (m *overlappedMemory) others(blocks *isl.Map) *isl.Map {
	same := blocks
	for d := range blocks.Dim(isl.DimIn) {
		same = same.Equate(isl.DimIn, d, isl.DimOut, d)
	}
	return m.inOneLaunch(blocks).Subtract(same)
}

// inOneLaunch are the pairs of blocks of one launch.
func (m *overlappedMemory) inOneLaunch(blocks *isl.Map) *isl.Map {
	for d := range m.launches {
		blocks = blocks.Equate(isl.DimIn, d, isl.DimOut, d)
	}
	return blocks
}

// checkStores proves that one block of a launch stores an element.
func (m *overlappedMemory) checkStores() error {
	for _, array := range m.written {
		stored := m.stored[array]
		if stored == nil {
			continue
		}
		twice := m.others(stored.ApplyRange(stored.Reverse()))
		if none, err := twice.IsEmpty(); err != nil || !none {
			return errors.Join(err, m.refused("two tiles of one launch store the same elements of %s, such as %s", array, exampleOf(twice.Domain().Apply(stored))))
		}
	}
	return nil
}

// checkLater proves that values that are read behind their launch, or are there in the end, are
// stored.
func (m *overlappedMemory) checkLater() error {
	all, err := flow.Of(m.Model, m.written...)
	if err != nil {
		return err
	}
	for _, pairs := range all.From.Maps() {
		source, target := m.Model.Statement(pairs.TupleName(isl.DimIn)), m.Model.Statement(pairs.TupleName(isl.DimOut))
		if m.runs[source.Index] == nil {
			continue
		}
		d := &Dependence{Source: source.Index, Target: target.Index, Relation: pairs}
		if m.runs[target.Index] != nil {
			pairs = pairs.Subtract(m.launch.together(d, pairs))
		}
		lost := pairs.Domain().Intersect(m.runs[source.Index].Domain()).Subtract(m.kept[source.Index])
		if none, err := lost.IsEmpty(); err != nil || !none {
			return errors.Join(err, m.refused("no tile stores what %s writes and %s reads behind the launch, such as %s", source.Spelling(), target.Spelling(), exampleOf(lost)))
		}
	}
	for _, s := range m.statements() {
		if err := m.checkLast(s); err != nil {
			return err
		}
	}
	return nil
}

// checkLast proves that the values that a statement writes and nobody overwrites are stored.
func (m *overlappedMemory) checkLast(s int) error {
	statement := &m.Model.Statements[s]
	for k, access := range statement.Statement.Accesses {
		if !access.Write {
			continue
		}
		last := m.runs[s].Domain().Subtract(m.kept[s])
		for _, d := range m.Dependences {
			if d.Kind == WAW && d.Source == s && d.SourceAccess == k && !m.Model.Statements[d.Target].Statement.Accesses[d.TargetAccess].May {
				last = last.Subtract(d.Relation.Domain())
			}
		}
		if none, err := last.IsEmpty(); err != nil || !none {
			return errors.Join(err, m.refused("no tile stores what %s writes into %s in the end, such as %s", statement.Spelling(), access.Array, exampleOf(last)))
		}
	}
	return nil
}

// exampleOf is one point of a set, as S0[1, 2, 3].
func exampleOf(set *isl.Set) string {
	point, any := set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam)).Point()
	if !any {
		return set.TupleName() + "[]"
	}
	return set.TupleName() + strings.ReplaceAll(fmt.Sprint(point), " ", ", ")
}
