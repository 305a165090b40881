package transform

import (
	"cmp"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	inmemory "polytune/scop/boxes"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
)

// Device says how loops are mapped to the blocks and threads of a device.
type Device struct {
	// Tiles are, by the number of loops that are blocks, the sizes of their tiles, and Threads the
	// threads of a block, along x last. Nil stands for the models'.
	Tiles, Threads map[int][]int64
	// Shared is how many of the loops that carry nothing blocks share at most; 0 for as many as
	// grids have dimensions.
	Shared int
	// MostShared is the number of bytes of shared memory that a block has at most; 0 for those that
	// all devices give it.
	MostShared int64
	// Unroll has the iterations of a thread unrolled.
	Unroll bool
	// Host says of the statements that the device cannot run, by their numbers, why.
	Host map[int]string
}

// mostShared is the number of bytes of shared memory of a block.
func (d *Device) mostShared() int64 { return cmp.Or(d.MostShared, inmemory.MostShared) }

// deviceTiles and deviceThreads are the models': warps of 32 threads along x, 256 threads of a
// block, each of which has four points of a plane; PPCG's blocks have 32 x 16 threads, tiles of 32
// x 32 and one point in two for each.
var (
	deviceTiles   = map[int][]int64{1: {128}, 2: {32, 32}, 3: {4, 8, 32}}
	deviceThreads = map[int][]int64{1: {128}, 2: {8, 32}, 3: {2, 4, 32}}
)

// OnDevice is the recipe for a device with the fusion structure of a nest: in each class, from the
// outside, the first loops without dependences are blocks and threads of a kernel, and what is
// inside of them is one thread's; loops around them are the host's. Where no loop of a permutable
// band is free, one of its loops, or the sum of all, becomes the host's such that others are free
// inside.
func OnDevice(g *depend.Graph, nest space.Nest, options Options) (schedule.Recipe, Explanation, error) {
	asked := options
	options = options.WithOff(parallelAxis, vectorAxis)
	options.Tile, options.Stencil = Tiling{None: true}, Stencil{}
	base, explanation, err := Explain(g, nest, options)
	if err != nil {
		return nil, explanation, err
	}
	ofBands := func(d Decision) bool { return d.Place == AtBand } // blocks and threads take their place
	explanation.Decisions = slices.DeleteFunc(explanation.Decisions, ofBands)
	tree, err := base.Replay(g.Model.Program)
	if err != nil {
		return nil, explanation, err
	}
	options.Tile, options.Stencil = asked.Tile, asked.Stencil
	if options.Device == nil {
		options.Device = &Device{}
	}
	p := &planner{graph: g, options: options}
	m := &deviceMapper{planner: p, device: options.Device}
	p.recipe = command.Beginning(g.Model.Program)
	if options.Device.MostShared > 0 {
		p.emit(command.Shared{Bytes: options.Device.MostShared})
	}
	var classes [][]int
	for _, class := range tree.Classes {
		classes = append(classes, class.Statements)
	}
	p.emit(command.Classes{Groups: classes})
	for _, class := range tree.Classes {
		if err := m.class(class); err != nil {
			return nil, explanation, err
		}
	}
	if err := m.shapes.check(options.Stencil.shape()); err != nil {
		return nil, explanation, err
	}
	recipe, err := m.withMemories()
	return recipe, explanation, err
}

// class maps a class: as a stencil where such a shape is asked for and it is one.
func (m *deviceMapper) class(class *schedule.Node) error {
	active := facts.DependencesOf(m.graph, class.Statements)
	if shape := m.options.Stencil.shape(); shape != nil {
		if done, err := m.shaped(shape, class, active); done || err != nil {
			return err
		}
	}
	_, err := m.node(planOf(class), active)
	return err
}

// deviceMapper maps classes to kernels.
type deviceMapper struct {
	*planner
	device *Device
	// kernels are those that may have elements in other memories.
	kernels []*kernelShape
	// proofs is the number of recipes that were proven for their sake.
	proofs int
	// inConstant are the arrays in the memory for constants.
	inConstant []string
	shapes     shapeReport
}

// onHost says whether the device cannot run one of the statements.
func (m *deviceMapper) onHost(statements []int) bool {
	return slices.ContainsFunc(statements, func(s int) bool { return m.device.Host[s] != "" })
}

// runsAll is an error that names the first of some statements that the device cannot run; nil where
// it runs them all.
func (m *deviceMapper) runsAll(statements []int) error {
	for _, s := range statements {
		if reason := m.device.Host[s]; reason != "" {
			return noStencil("the device cannot run %s: %s", m.graph.Model.Statements[s].Spelling(), reason)
		}
	}
	return nil
}

// node maps the loops of a plan, between whose statements the dependences are active. It says
// whether there is a kernel with several threads; where there is none, the whole plan is one of one
// thread.
func (m *deviceMapper) node(n *devicePlan, active []*depend.Dependence) (bool, error) {
	before := len(m.recipe)
	has, err := m.mapped(n, active)
	if err != nil || has {
		return has, err
	}
	m.recipe = m.recipe[:before]
	m.inOrder(n)
	if !m.onHost(n.statements) {
		m.emit(command.Kernel{Of: n.name})
	}
	return false, nil
}

// mapped maps the outermost band, and what is inside.
func (m *deviceMapper) mapped(n *devicePlan, active []*depend.Dependence) (bool, error) {
	if len(n.bands) == 0 {
		return m.split(n, n.parts, active)
	}
	if err := m.unite(n, active); err != nil {
		return false, err
	}
	band := n.bands[0]
	free, err := m.freeOf(band, active)
	if err != nil {
		return false, err
	}
	components := facts.ComponentsOf(m.graph, n.statements, active, m.graph.Model.Program.Privates())
	if len(free) > 0 && !m.onHost(n.statements) {
		if more, err := m.moreApart(n, components, len(free), active); !more || err != nil {
			if others, last := m.inTheWay(n, free, active); err == nil && len(last) > 0 {
				return m.split(n, n.each([][]int{others, last}), active)
			}
			return true, cmp.Or(err, m.kernel(n, free, nil))
		}
	}
	if len(components) > 1 {
		groups, err := m.grouped(n, components, active)
		if err != nil {
			return false, err
		}
		return m.split(n, n.each(groups), active)
	}
	if adds, err := m.sums(n, active); adds || err != nil {
		return adds, err
	}
	return m.outside(n, active)
}

// split maps parts of a plan that run one after the other.
func (m *deviceMapper) split(n *devicePlan, parts []*devicePlan, active []*depend.Dependence) (bool, error) {
	if len(parts) == 0 {
		return false, nil
	}
	var groups [][]int
	for _, part := range parts {
		groups = append(groups, part.statements)
	}
	m.emit(command.Split{Node: n.name, Groups: groups})
	any := false
	for k, part := range parts {
		part.name, part.depth, part.host = partName(n.name, k), n.depth, n.host
		has, err := m.node(part, facts.Within(active, part.statements))
		if err != nil {
			return false, err
		}
		any = any || has
	}
	return any, nil
}

// inOrder emits the loops of a plan as they are.
func (m *deviceMapper) inOrder(n *devicePlan) {
	for _, band := range n.bands {
		m.emit(command.Band{Node: n.name, Permutable: band.permutable, Rows: schedule.Affine(band.rows)})
	}
	if len(n.parts) == 0 {
		return
	}
	var groups [][]int
	for _, part := range n.parts {
		groups = append(groups, part.statements)
	}
	m.emit(command.Split{Node: n.name, Groups: groups})
	for k, part := range n.parts {
		part.name = partName(n.name, k)
		m.inOrder(part)
	}
}
