package transform

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
)

// Device says how loops are mapped to the blocks and threads of a device.
type Device struct {
	// Tiles are, by the number of loops that are blocks, the sizes of their tiles, and Threads the threads of a block, along x last. Nil stands for the models'.
	Tiles, Threads map[int][]int64
	// Shared is how many of the loops that carry nothing blocks share at most; 0 for as many as grids have dimensions.
	Shared int
	// Unroll has the iterations of a thread unrolled.
	Unroll bool
	// Host says which statements the device cannot run.
	Host func(statement int) bool
}

// deviceTiles and deviceThreads are the models': warps of 32 threads along x, 256 threads of a block, each of which has four points of a plane; PPCG's blocks have 32 x 16
// threads, tiles of 32 x 32 and one point in two for each.
var (
	deviceTiles   = map[int][]int64{1: {128}, 2: {32, 32}, 3: {4, 8, 32}}
	deviceThreads = map[int][]int64{1: {128}, 2: {8, 32}, 3: {2, 4, 32}}
)

// OnDevice is the recipe for a device with the fusion structure of a nest: in each class, from the outside, the first loops without dependences are blocks and threads of a
// kernel, and what is inside of them is one thread's; loops around them are the host's. Where no loop of a permutable band is free, one of its loops, or the sum of all, becomes the
// host's such that others are free inside.
func OnDevice(g *depend.Graph, nest space.Nest, options Options) (schedule.Recipe, Explanation, error) {
	asked := options.Tile
	options.Tile, options.NoParallel, options.NoVector = Tiling{None: true}, true, true
	base, explanation, err := Explain(g, nest, options)
	if err != nil {
		return nil, explanation, err
	}
	tree, err := base.Replay(g.Model.Program)
	if err != nil {
		return nil, explanation, err
	}
	options.Tile = asked
	p := &planner{graph: g, options: options}
	m := &deviceMapper{planner: p, device: options.Device}
	if m.device == nil {
		m.device = &Device{}
	}
	p.recipe = command.Beginning(g.Model.Program)
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
	if err := m.hasHexagons(); err != nil {
		return nil, explanation, err
	}
	return m.withMemory(), explanation, nil
}

// class maps a class: to hexagonal tiles where these are asked for and it is a stencil.
func (m *deviceMapper) class(class *schedule.Node) error {
	active := m.dependencesOf(class.Statements)
	if m.options.Hexagon && !m.onHost(class.Statements) {
		f, err := m.stencilOf(class.Statements, active)
		if reason := (*NoStencil)(nil); err == nil {
			m.tiled++
			return m.hexagons(class.Name, f)
		} else if !errors.As(err, &reason) {
			return err
		}
		m.reasons = append(m.reasons, err)
	}
	_, err := m.node(planOf(class), active)
	return err
}

// hasHexagons is an error where hexagonal tiles are asked for and no class has them.
func (m *deviceMapper) hasHexagons() error {
	if !m.options.Hexagon || m.tiled > 0 {
		return nil
	}
	return fmt.Errorf("there are no hexagonal tiles (--hexagon): %w", errors.Join(m.reasons...))
}

// deviceMapper maps classes to kernels.
type deviceMapper struct {
	*planner
	device *Device
	// shapes are the kernels that may have elements in other memories.
	shapes []*kernelShape
	// proofs is the number of recipes that were proven for their sake.
	proofs int
	// tiled is the number of classes with hexagonal tiles, and reasons say why others have none.
	tiled   int
	reasons []error
}

// devicePlan are the loops of some statements before they are mapped, bands from the outside, with what runs one after the other inside.
type devicePlan struct {
	name       string
	statements []int
	bands      []deviceBand
	parts      []*devicePlan
	// depth is the number of loops around.
	depth int
}

// deviceBand is a band of loops, by their rows.
type deviceBand struct {
	rows       []map[int]schedule.Row
	permutable bool
}

// planOf is the plan of a node of a tree without tiles.
func planOf(n *schedule.Node) *devicePlan {
	plan := &devicePlan{name: n.Name, statements: n.Statements}
	last := -1
	for _, l := range n.Loops {
		if l.Level > 0 || len(l.Terms) != 1 {
			continue
		}
		if l.Band != last {
			plan.bands, last = append(plan.bands, deviceBand{permutable: l.Permutable}), l.Band
		}
		band := &plan.bands[len(plan.bands)-1]
		band.rows = append(band.rows, l.Terms[0].Rows)
	}
	for _, part := range n.Parts {
		plan.parts = append(plan.parts, planOf(part))
	}
	return plan
}

// of is the plan for some of its statements.
func (n *devicePlan) of(statements []int) *devicePlan {
	made := &devicePlan{name: n.name, statements: statements, depth: n.depth}
	for _, band := range n.bands {
		restricted := deviceBand{permutable: band.permutable}
		for _, rows := range band.rows {
			restricted.rows = append(restricted.rows, rowsOf(rows, statements))
		}
		made.bands = append(made.bands, restricted)
	}
	for _, part := range n.parts {
		inside := slices.DeleteFunc(slices.Clone(part.statements), func(s int) bool { return !slices.Contains(statements, s) })
		if len(inside) > 0 {
			made.parts = append(made.parts, part.of(inside))
		}
	}
	if len(made.parts) == 1 {
		made.bands, made.parts = append(made.bands, made.parts[0].bands...), made.parts[0].parts
	}
	return made
}

// rowsOf are the rows of some statements.
func rowsOf(rows map[int]schedule.Row, statements []int) map[int]schedule.Row {
	made := map[int]schedule.Row{}
	for _, s := range statements {
		made[s] = rows[s]
	}
	return made
}

// onHost says whether the device cannot run one of the statements.
func (m *deviceMapper) onHost(statements []int) bool {
	return m.device.Host != nil && slices.ContainsFunc(statements, m.device.Host)
}

// node maps the loops of a plan, between whose statements the dependences are active. It says whether there is a kernel with several threads; where there is none, the
// whole plan is one of one thread.
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
	components := m.componentsOf(n.statements, active, m.graph.Model.Program.Privates())
	if len(free) > 0 && !m.onHost(n.statements) {
		if more, err := m.moreApart(n, components, len(free), active); !more || err != nil {
			return true, m.kernel(n, free)
		}
	}
	if len(components) > 1 {
		groups, err := m.grouped(n, components, active)
		if err != nil {
			return false, err
		}
		return m.split(n, n.each(groups), active)
	}
	return m.outside(n, active)
}

// moreApart says whether some of a plan's components has more free loops by itself than all have together.
func (m *deviceMapper) moreApart(n *devicePlan, components [][]int, together int, active []*depend.Dependence) (bool, error) {
	if len(components) == 1 || together == maxShared {
		return false, nil
	}
	for _, component := range components {
		band, inside := n.of(component).bands[0], within(active, component)
		free, err := m.freeOf(band, inside)
		if err != nil || min(len(free), maxShared) > together {
			return err == nil, err
		}
	}
	return false, nil
}

// grouped puts components of a plan together, each with an earlier one that it may run beside, where that leaves both as many free loops as the one with more of them has, at
// least one: fewer kernels start.
func (m *deviceMapper) grouped(n *devicePlan, components [][]int, active []*depend.Dependence) ([][]int, error) {
	var err error
	free := func(statements []int) int {
		if err != nil || m.onHost(statements) {
			return 0
		}
		var loops []int
		loops, err = m.freeOf(n.of(statements).bands[0], within(active, statements))
		return min(len(loops), maxShared)
	}
	ordered := func(i, j int) bool {
		return slices.ContainsFunc(active, func(d *depend.Dependence) bool { return d.Source == i && d.Target == j })
	}
	groups, failed := gather(components, ordered, func(group, component []int) (bool, error) {
		together := free(slices.Sorted(slices.Values(slices.Concat(group, component))))
		return together > 0 && together >= max(free(group), free(component)), err
	})
	return groups, cmp.Or(err, failed)
}

// maxShared is the number of dimensions of a grid.
const maxShared = 3

// unite makes one band of all of a plan without parts where its loops could change places.
func (m *deviceMapper) unite(n *devicePlan, active []*depend.Dependence) error {
	if len(n.parts) > 0 || len(n.bands) < 2 {
		return nil
	}
	all := deviceBand{permutable: true}
	for _, band := range n.bands {
		for _, rows := range band.rows {
			if is, err := forward(constraining(active), rows); err != nil || !is {
				return err
			}
			all.rows = append(all.rows, rows)
		}
	}
	n.bands = []deviceBand{all}
	return nil
}

// each are plans of groups of a plan's statements.
func (n *devicePlan) each(groups [][]int) (plans []*devicePlan) {
	for _, group := range groups {
		plans = append(plans, n.of(group))
	}
	return plans
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
		part.name, part.depth = partName(n.name, k), n.depth
		has, err := m.node(part, within(active, part.statements))
		if err != nil {
			return false, err
		}
		any = any || has
	}
	return any, nil
}

// freeOf are the loops of a band that carry nothing; of one whose loops cannot change places, those in front alone.
func (m *deviceMapper) freeOf(band deviceBand, active []*depend.Dependence) (free []int, err error) {
	for k, rows := range band.rows {
		is, err := m.coincident(active, rows)
		if err != nil {
			return nil, err
		}
		if is {
			// Blocks and threads do not add up in copies of their own.
			if is, err = m.coincident(m.relaxedOf(rows), rows); err != nil {
				return nil, err
			}
		}
		if is && moves(rows) {
			free = append(free, k)
		} else if !band.permutable {
			break
		}
	}
	return free, nil
}

// relaxedOf are the dependences between statements of rows that may run in any order, but not at once.
func (m *deviceMapper) relaxedOf(rows map[int]schedule.Row) []*depend.Dependence {
	return within(depend.Distinct(m.graph.Relaxed), slices.Collect(maps.Keys(rows)))
}

// moves says whether a loop runs over iterations of some statement.
func moves(rows map[int]schedule.Row) bool {
	for _, row := range rows {
		if !row.IsConstant() {
			return true
		}
	}
	return false
}

// outside makes one loop of the outermost band the host's: that inside of which the most loops are free; the sum of all loops where none is.
func (m *deviceMapper) outside(n *devicePlan, active []*depend.Dependence) (bool, error) {
	band := n.bands[0]
	candidates := 1
	if band.permutable {
		candidates = len(band.rows)
	}
	best, most := 0, -1
	for k := range candidates {
		count, err := m.freeInside(n, band.rows[k], k, active)
		if err != nil {
			return false, err
		}
		if count > most {
			best, most = k, count
		}
	}
	host, rest := band.rows[best], slices.Delete(slices.Clone(band.rows), best, best+1)
	if most == 0 && band.permutable && len(band.rows) > 1 {
		host = sumOf(band.rows)
	}
	left, err := m.unsatisfied(active, []map[int]schedule.Row{host})
	if err != nil {
		return false, err
	}
	m.emit(command.Band{Node: n.name, Permutable: true, Rows: []map[int]schedule.Row{host}})
	inner := *n
	inner.depth++
	inner.bands = slices.Clone(n.bands[1:])
	if len(rest) > 0 {
		inner.bands = append([]deviceBand{{simpler(rest, host), band.permutable}}, inner.bands...)
	}
	return m.mapped(&inner, left)
}

// sumOf is the sum of rows.
func sumOf(list []map[int]schedule.Row) map[int]schedule.Row {
	sum := map[int]schedule.Row{}
	for s, row := range list[0] {
		for _, other := range list[1:] {
			row = row.Plus(other[s], 1)
		}
		sum[s] = row
	}
	return sum
}

// freeInside counts, for the statements with the most loops, the free loops inside of one loop of the outermost band.
func (m *deviceMapper) freeInside(n *devicePlan, host map[int]schedule.Row, place int, active []*depend.Dependence) (count int, err error) {
	left, err := m.unsatisfied(active, []map[int]schedule.Row{host})
	if err != nil {
		return 0, err
	}
	rest := deviceBand{slices.Delete(slices.Clone(n.bands[0].rows), place, place+1), n.bands[0].permutable}
	for _, component := range m.componentsOf(n.statements, left, m.graph.Model.Program.Privates()) {
		inside := within(left, component)
		part := n.of(component)
		bands := part.bands[1:]
		if len(rest.rows) > 0 {
			bands = append([]deviceBand{rest}, bands...)
		}
		for _, band := range bands {
			free, err := m.freeOf(band, inside)
			if err != nil {
				return 0, err
			}
			if count += len(free); len(free) > 0 {
				break
			}
		}
	}
	return count, nil
}

// mostSkewed is the largest factor of another loop that is taken out of a row.
const mostSkewed = 4

// simpler are rows without multiples of a row of a loop around, where that makes them shorter: 2t + i inside of t is i.
func simpler(list []map[int]schedule.Row, around map[int]schedule.Row) (made []map[int]schedule.Row) {
	for _, rows := range list {
		best, least := rows, lengthOf(rows)
		for factor := int64(-mostSkewed); factor <= mostSkewed; factor++ {
			other := map[int]schedule.Row{}
			for s, row := range rows {
				other[s] = row.Plus(around[s], factor)
			}
			if length := lengthOf(other); length < least {
				best, least = other, length
			}
		}
		made = append(made, best)
	}
	return made
}

// lengthOf is the sum of the factors of rows.
func lengthOf(rows map[int]schedule.Row) (length int64) {
	for _, row := range rows {
		for _, factor := range append(slices.Clone(row.Iterators), row.Parameters...) {
			length += max(factor, -factor)
		}
	}
	return length
}

// kernel makes free loops of the outermost band blocks and threads.
func (m *deviceMapper) kernel(n *devicePlan, free []int) error {
	band := n.bands[0]
	shared := m.sharedOf(band, free)
	var rows []map[int]schedule.Row
	for _, k := range shared {
		rows = append(rows, band.rows[k])
	}
	for k := range band.rows {
		if !slices.Contains(shared, k) {
			rows = append(rows, band.rows[k])
		}
	}
	inner := *n
	inner.bands = append([]deviceBand{{rows, band.permutable || len(rows) == 1}}, n.bands[1:]...)
	m.inOrder(&inner)
	count := len(shared)
	tiles, threads := m.device.Tiles[count], m.device.Threads[count]
	if tiles == nil {
		tiles, threads = deviceTiles[count], deviceThreads[count]
	}
	points, blocks := make([]string, count), make([]string, count)
	for k := range count {
		points[k] = fmt.Sprintf("%s.%d", n.name, n.depth+k+1)
		blocks[k] = points[k] + "t"
	}
	from := len(m.recipe)
	m.emit(command.Tile{Loops: points, Sizes: tiles})
	m.emit(command.Block{Loops: blocks})
	m.emit(command.Thread{Loops: points, Sizes: threads})
	m.shape(&inner, from, tiles, threads)
	for k := range count {
		if m.device.Unroll && tiles[k] > threads[k] {
			m.emit(command.Unroll{Loop: points[k]})
		}
	}
	return nil
}

// sharedOf are the free loops of a band that blocks and threads share, at most three: that along which neighbours lie side by side in memory last.
func (m *deviceMapper) sharedOf(band deviceBand, free []int) []int {
	most := maxShared
	if m.device.Shared > 0 {
		most = m.device.Shared
	}
	shared := free[:min(len(free), most)]
	if !band.permutable {
		return shared
	}
	best := slices.MaxFunc(free, func(a, b int) int { return m.sideBySide(band.rows[a]) - m.sideBySide(band.rows[b]) })
	shared = slices.DeleteFunc(slices.Clone(free), func(k int) bool { return k == best })
	return append(shared[:min(len(shared), most-1)], best)
}

// sideBySide counts the references whose elements in neighbouring iterations of a loop lie side by side, less those whose elements lie far apart.
func (m *deviceMapper) sideBySide(rows map[int]schedule.Row) (count int) {
	for s, row := range rows {
		k, is := onlyIterator(row)
		if !is {
			continue
		}
		for _, access := range m.graph.Model.Statements[s].Accesses {
			subscripts, err := scop.Subscripts(access)
			if err != nil || len(subscripts) == 0 {
				continue
			}
			last := len(subscripts) - 1
			switch {
			case slices.ContainsFunc(subscripts[:last], func(r schedule.Row) bool { return r.Iterators[k] != 0 }):
				count--
			case subscripts[last].Iterators[k] == 1 || subscripts[last].Iterators[k] == -1:
				count++
			}
		}
	}
	return count
}

// onlyIterator is the iterator that a row is, but for a sign and a constant.
func onlyIterator(row schedule.Row) (place int, is bool) {
	for k, factor := range row.Iterators {
		if factor != 0 && is || factor > 1 || factor < -1 {
			return 0, false
		}
		if factor != 0 {
			place, is = k, true
		}
	}
	return place, is
}

// inOrder emits the loops of a plan as they are.
func (m *deviceMapper) inOrder(n *devicePlan) {
	for _, band := range n.bands {
		m.emit(command.Band{Node: n.name, Permutable: band.permutable, Rows: band.rows})
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

// SmartOnDevice fuses components that have data in common where each statement has as many free loops then as it has without the others: fewer kernels start, and
// what one writes the next one finds in registers.
func SmartOnDevice(s *space.Space, g *depend.Graph) (space.Partition, error) {
	known := map[string]int{}
	join := func(class, component []int) (bool, error) {
		if !shareData(g, class, component) {
			return false, nil
		}
		joined := slices.Concat(class, component)
		slices.Sort(joined)
		together, err := gridLoops(g, joined, known)
		if err != nil || together == noneInCommon {
			return false, err
		}
		for _, alone := range [][]int{class, component} {
			if apart, err := gridLoops(g, alone, known); err != nil || apart > together {
				return false, err
			}
		}
		return s.Fusible(joined)
	}
	var best [][]int
	components := s.None().Classes()
	for _, order := range [][][]int{components, initialLast(g, components, s.Ordered)} {
		classes, err := gather(order, s.Ordered, join)
		if err != nil {
			return nil, err
		}
		if best == nil || len(classes) < len(best) {
			best = classes
		}
	}
	return vector(best, len(g.Model.Statements)), nil
}

// initialLast are components in a legal order in which those of one loop at most that need no others, such as zeros for sums, come right in front of the first one
// that needs them: a class comes as early as its first statement may, and they do not begin one of their own.
func initialLast(g *depend.Graph, components [][]int, ordered func(i, j int) bool) (order [][]int) {
	needs := func(component, other []int) bool {
		return slices.ContainsFunc(other, func(i int) bool {
			return slices.ContainsFunc(component, func(j int) bool { return ordered(i, j) })
		})
	}
	placed := make([]bool, len(components))
	var place func(k int)
	place = func(k int) {
		if placed[k] {
			return
		}
		placed[k] = true
		for earlier := range k {
			if needs(components[k], components[earlier]) {
				place(earlier)
			}
		}
		order = append(order, components[k])
	}
	for k, component := range components {
		isInitial := deepest(g, component) <= 1 && !slices.ContainsFunc(components[:k], func(earlier []int) bool { return needs(component, earlier) })
		if !isInitial {
			place(k)
		}
	}
	for k := range components {
		place(k)
	}
	return order
}

// noneInCommon is the number of loops of statements that cannot share any.
const noneInCommon = -1

// gridLoops is the least number of loops that blocks share of those of a kernel of a class, 0 where it is several kernels; noneInCommon where its statements share
// no loop. known has the answers.
func gridLoops(g *depend.Graph, class []int, known map[string]int) (int, error) {
	key := fmt.Sprint(class)
	if count, is := known[key]; is {
		return count, nil
	}
	p := &planner{graph: g, options: Options{Tile: Tiling{None: true}, NoParallel: true, NoVector: true}, purpose: ForHyperplane}
	classes := [][]int{class}
	for k := range g.Model.Statements {
		if !slices.Contains(class, k) {
			classes = append(classes, []int{k})
		}
	}
	p.begin(classes)
	if err := p.planClass(&nodePlan{name: className(0), statements: class}, nil); err != nil {
		if refusal := unshared(""); errors.As(err, &refusal) {
			known[key], err = noneInCommon, nil
		}
		return known[key], err
	}
	tree, err := p.recipe.Replay(g.Model.Program)
	if err != nil {
		return 0, err
	}
	plan := planOf(tree.Classes[0])
	m := &deviceMapper{planner: p, device: &Device{}}
	known[key] = 0
	if len(plan.bands) == 0 && deepest(g, class) > 0 {
		known[key] = noneInCommon
	}
	if len(plan.bands) > 0 {
		free, err := m.freeOf(plan.bands[0], p.dependencesOf(class))
		if err != nil {
			return 0, err
		}
		known[key] = min(len(free), maxShared)
	}
	return known[key], nil
}
