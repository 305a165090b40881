package transform

import (
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	inmemory "polytune/scop/boxes"
	"polytune/scop/mark"
)

// withMemories is the recipe with what is in memories of the device: what is in that for constants
// is in no copy. Stencils in tiles of time and space have theirs already.
func (m *deviceMapper) withMemories() (schedule.Recipe, error) {
	if m.options.Stencil.shape() != nil || slices.Contains(m.options.Without, mark.Constant) {
		return m.withMemory(), nil
	}
	constants, err := m.constants()
	if err != nil {
		return nil, err
	}
	for _, k := range m.kernels {
		k.copies = slices.DeleteFunc(k.copies, func(c memoryCopy) bool { return slices.Contains(constants, c.array) })
	}
	m.kernels = slices.DeleteFunc(m.kernels, func(k *kernelShape) bool { return !k.isWorthIt() })
	m.inConstant = constants
	return withConstants(m.withMemory(), constants), nil
}

// withMemory is the recipe with copies in memories of the device in those kernels where they are
// legal and fit: all, or else those of single kernels, or of these single ones, the most useful
// ones first.
func (m *deviceMapper) withMemory() schedule.Recipe {
	m.leaveUnboxed()
	if len(m.kernels) == 0 {
		return m.recipe
	}
	if all := m.assembled(m.kernels); m.fits(all) {
		return all
	}
	var good []*kernelShape
	for _, k := range m.kernels {
		if len(m.kernels) > 1 && m.fits(m.assembled([]*kernelShape{k})) {
			good = append(good, k)
			continue
		}
		chosen := *k
		chosen.copies = nil
		for _, c := range k.copies {
			more := chosen
			more.copies = append(slices.Clip(chosen.copies), c)
			if m.fits(m.assembled([]*kernelShape{&more})) {
				chosen = more
			}
		}
		if len(chosen.copies) > 0 {
			good = append(good, &chosen)
		}
	}
	if some := m.assembled(good); len(good) == 1 || len(good) > 1 && m.fits(some) {
		return some
	}
	return m.recipe
}

// leaveUnboxed leaves out the copies whose elements have no box of constant extents, and kernels
// that have no others: no proof is needed to see that they are not legal.
func (m *deviceMapper) leaveUnboxed() {
	if len(m.kernels) == 0 {
		return
	}
	_, all, err := withConstants(m.assembled(m.kernels), m.inConstant).Lower(m.graph.Model)
	if err != nil {
		return
	}
	isUnboxed := func(c memoryCopy) bool {
		return slices.ContainsFunc(*all.Marks, func(of mark.Mark) bool {
			box, is := of.(mark.Box)
			return is && box.Array == c.array && box.References == c.references && box.Loop == c.at && len(box.Sides) == 0
		})
	}
	for _, k := range m.kernels {
		k.copies = slices.DeleteFunc(k.copies, isUnboxed)
	}
	m.kernels = slices.DeleteFunc(m.kernels, func(k *kernelShape) bool { return len(k.copies) == 0 })
}

// assembled is the recipe with the copies of some kernels.
func (m *deviceMapper) assembled(shapes []*kernelShape) (recipe schedule.Recipe) {
	from := 0
	for _, k := range shapes {
		recipe = append(append(recipe, m.recipe[from:k.from]...), k.commands()...)
		from = k.to
	}
	return append(recipe, m.recipe[from:]...)
}

// fits says whether the copies of a recipe in shared and private memory are small enough, those of
// each kernel together, and it is legal.
func (m *deviceMapper) fits(recipe schedule.Recipe) bool {
	if m.proofs++; m.proofs > facts.MostProofs {
		return false
	}
	recipe = withConstants(recipe, m.inConstant)
	_, lowered, err := recipe.Lower(m.graph.Model)
	if err != nil || !m.isSmall(lowered) {
		return false
	}
	_, _, err = recipe.Prove(m.graph)
	return err == nil
}

// isSmall says whether the copies of a schedule are small enough, those of each kernel together.
func (m *deviceMapper) isSmall(lowered mark.Schedule) bool {
	for _, kernel := range inmemory.Kernels(lowered.Tree.Root(), lowered.Marks) {
		found, err := inmemory.In(m.graph.Model, lowered.Marks, kernel)
		if err != nil {
			return false
		}
		var shared, registers int64
		for _, box := range found {
			if box.Memory == mark.Shared {
				shared += inmemory.Bytes(box.Box, int64(m.graph.Model.Program.Array(box.Array).Size))
			} else {
				registers += inmemory.Bytes(box.Box, 1)
			}
		}
		if shared > m.device.mostShared() || registers > facts.MostRegisters {
			return false
		}
	}
	return true
}
