package codegen

import (
	"fmt"
	"slices"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// relay is what is known about a loop that threads run through as in a relay (depend.RelayMark) while its legs are printed.
type relay struct {
	mark depend.RelayMark
	// leg is the one that is being printed, and inside says that its loop is whose iterations threads have shares of, or what one thread does between legs.
	leg    depend.Leg
	inside bool
	// variables are those of the loops around that loop.
	variables map[string]bool
	// low and high are the bounds of the shared loop, nil before they are known.
	low, high *expression
	// from and to are the names of the bounds of a thread's share of the shared loop, begin and end of the one that is handed on.
	from, to, begin, end string
	// threads is the name of the number of threads.
	threads string
	// arrays are those that the first leg reads.
	arrays map[string]bool
	// unfit says that threads cannot run through the loop as it is.
	unfit bool
}

// mostHanding is the number of threads for which there are places to say how far they are, each in a cache line of its own. More of them have nothing to do.
const mostHanding = 256

// relayed prints a loop through which threads run as in a relay. Where that cannot be, one thread runs it.
func (n *nodes) relayed(node *isl.AstNode, s scope, name string) fragment {
	mark, err := depend.RelayMarkOf(name)
	if err != nil && n.err == nil {
		n.err = err
	}
	if n.openMP(depend.MarkParallel) != OpenMP[depend.MarkParallel] || n.team != nil || n.crew != nil || n.relay != nil || n.full != nil || n.single {
		return n.fragment(node, s)
	}
	r := &relay{mark: mark, variables: map[string]bool{}}
	for name, of := range map[*string]string{&r.from: "tune_from", &r.to: "tune_to", &r.begin: "tune_begin", &r.end: "tune_end", &r.threads: "tune_count"} {
		*name = n.fresh(of)
	}
	n.relay = r
	f := n.legs(node, s)
	n.relay = nil
	if r.unfit || r.low == nil || len(f.declares) > 0 {
		return n.fragment(node, s)
	}
	many := operation(isl.OpGe, operation(isl.OpSub, r.high, r.low), integer(mark.From-1))
	return n.orAlone(f, n.expression(many).code, node, s)
}

// legs prints the loop of a relay for several threads.
func (n *nodes) legs(node *isl.AstNode, s scope) fragment {
	r := n.relay
	nodes := n.legsOf(node, r.mark)
	if len(nodes[depend.FirstLeg]) == 0 || len(nodes[depend.SecondLeg]) == 0 {
		r.unfit = true
		return fragment{}
	}
	defer n.know(loopFacts(node))()
	variable := node.ForIterator().ID()
	defer n.enter(openLoop{variable, node})()
	r.variables[variable] = true
	n.take(&s, variable)
	r.arrays = n.arraysRead(nodes[depend.FirstLeg])
	var printed legs[fragment]
	for k := range printed {
		r.leg, r.inside = depend.Leg(k), depend.Leg(k) == depend.BetweenLegs
		for _, child := range nodes[k] {
			f := n.fragment(child, s)
			printed[k].lines, printed[k].declares = append(printed[k].lines, f.beside()...), union(printed[k].declares, f.declares)
		}
		r.inside = false
	}
	all := fragment{lines: n.handing(n.headerOf(node, nil), printed)}
	for _, leg := range printed {
		all.declares = union(all.declares, leg.declares)
	}
	return all
}

// legsOf are the nodes of the legs in a loop, and those between; none where it is not a loop with first ones, such, and then second ones in it.
func (n *nodes) legsOf(node *isl.AstNode, mark depend.RelayMark) (found legs[[]*isl.AstNode]) {
	if node.Type() != isl.AstFor || node.ForBody().Type() != isl.AstBlock {
		return found
	}
	degenerate, err := node.ForIsDegenerate()
	marks := marksNamed(n.schedule, mark.String())
	if err != nil || degenerate || len(marks) != 1 || !isCanonical(expressionOf(node.ForCond()), node.ForIterator().ID()) || !expressionOf(node.ForInc()).isOne() {
		return found
	}
	of, err := depend.LegsOf(marks[0])
	if err != nil {
		return found
	}
	present := depend.FirstLeg
	for _, child := range node.ForBody().BlockChildren() {
		own := map[depend.Leg]bool{}
		for name := range statementsBelow(child) {
			own[of[name]] = true
		}
		for leg := range own {
			if len(own) > 1 || leg < present {
				return legs[[]*isl.AstNode]{}
			}
			found[leg], present = append(found[leg], child), leg
		}
	}
	return found
}

// legs has something of each leg.
type legs[T any] [depend.SecondLeg + 1]T

// limits are the bounds of the thread's share of a loop from first to last, where it is the one of the present leg that threads have shares of.
func (r *relay) limits(n *nodes, depth int, first, last *expression) (*expression, *expression) {
	switch {
	case r == nil || r.inside || !r.isShared(depth):
		return first, last
	case r.leg == depend.FirstLeg:
		return operation(isl.OpMax, first, named(r.begin)), operation(isl.OpMin, last, named(r.end))
	}
	low, high := n.expression(first).code, n.expression(last).code
	isOther := r.low != nil && (n.expression(r.low).code != low || n.expression(r.high).code != high)
	r.unfit = r.unfit || isOther || r.varies(low) || r.varies(high)
	r.low, r.high = first, last
	return named(r.from), named(r.to)
}

// shares gives a register block the bounds of the thread's share of its stream, and says whether the block is inside of a share then.
func (r *relay) shares(n *nodes, b *registerBlock) bool {
	if r == nil || r.inside {
		return true
	}
	if b.stream == nil || !r.isShared(n.depthOfLoop(b.stream)) {
		return false
	}
	b.first, b.last = r.limits(n, n.depthOfLoop(b.stream), b.first, b.last)
	return true
}

// isShared says whether threads have shares of the loop of the present leg at that depth.
func (r *relay) isShared(depth int) bool {
	return r.leg == depend.FirstLeg && depth == r.mark.Handed || r.leg == depend.SecondLeg && depth == r.mark.Shared
}

// varies says whether a bound has variables of loops around it.
func (r *relay) varies(bound string) bool {
	return slices.ContainsFunc(ctext.Words(bound), func(word string) bool { return r.variables[word] })
}

// shareOf gives a loop the bounds of the thread's share of it, where it has one.
func (h *loopHeader) shareOf(n *nodes) {
	r := n.relay
	if r == nil || !isCanonical(h.condition, h.variable) {
		return
	}
	last := lastOf(h.condition)
	start, end := r.limits(n, h.depth, h.start, last)
	if end != last {
		h.start, h.condition = start, operation(isl.OpLe, h.condition.arguments[0], end)
	}
}

// enter takes a loop inside a leg, whose iterations a thread may have a share of. leave says that it has been printed.
func (r *relay) enter(h loopHeader) (leave func()) {
	if r == nil || r.inside {
		return func() {}
	}
	r.variables[h.variable] = true
	r.inside = r.isShared(h.depth)
	r.unfit = r.unfit || r.inside && !(h.step.isOne() && isCanonical(h.condition, h.variable))
	return func() { r.inside = false }
}

// run takes what a thread does.
func (r *relay) run() {
	if r != nil && !r.inside {
		r.unfit = true
	}
}

// isOne says whether a step is 1.
func (e *expression) isOne() bool { return e.kind == isl.AstInt && e.value == 1 }

// aheadInRelay asks, in the second leg of a relay, for the elements that the thread's next first leg reads where this one reads some that the first leg has
// read: those of as many iterations later as there are threads. In the meantime the memory would have nothing to do. Behind the end nothing is read there.
func (w *blockWriter) aheadInRelay(s *blockStatement, o *blockOperand, element string) []line {
	r, n := w.nodes.relay, w.nodes
	if r == nil || r.leg != depend.SecondLeg || !r.mark.Ahead || n.tree == nil || o.step != consecutive || o.packed != nil || !r.arrays[o.array] {
		return nil
	}
	iterator, by, ok := n.tree.Advance(r.mark.Loop, s.model.Index)
	subscripts, err := scop.Subscripts(s.model.Accesses[o.access])
	if !ok || err != nil || subscripts == nil {
		return nil
	}
	address, moves := "(__UINTPTR_TYPE__) &"+element, false
	for d, subscript := range subscripts {
		if c := subscript.Iterators[iterator]; c != 0 {
			address += fmt.Sprintf(" + %d * %s * %s", c*by, r.threads, bytesOf(n.model.Program.Array(o.array), d))
			moves = true
		}
	}
	if !moves {
		return nil
	}
	return []line{{0, "__builtin_prefetch((const void *) (" + address + "), 0, 2);"}}
}

// arraysRead are the arrays that some statements read.
func (n *nodes) arraysRead(nodes []*isl.AstNode) map[string]bool {
	arrays := map[string]bool{}
	for _, node := range nodes {
		for name := range statementsBelow(node) {
			for _, access := range n.model.Statement(name).Statement.Accesses {
				arrays[access.Array] = arrays[access.Array] || access.Read
			}
		}
	}
	return arrays
}

// handing is a relay's loop, with its legs. Each thread has a place where it says how many first legs it has ended.
func (n *nodes) handing(h loopHeader, printed legs[fragment]) []line {
	r := n.relay
	if r.unfit || r.low == nil {
		return nil
	}
	w := &handing{relay: r, await: n.await(), header: h}
	for name, of := range map[*string]string{&w.done: "tune_done", &w.thread: "tune_own", &w.blocks: "tune_blocks", &w.step: "tune_step", &w.start: "tune_start", &w.stop: "tune_stop"} {
		*name = n.fresh(of)
	}
	blocks := operation(isl.OpAdd, operation(isl.OpSub, r.high, r.low), integer(1))
	number := operation(isl.OpMin, named("omp_get_num_threads()"), operation(isl.OpMax, integer(1), operation(isl.OpMin, integer(mostHanding), named(fmt.Sprintf("%s / %d", w.blocks, max(1, r.mark.From/2))))))
	team := slices.Concat(
		[]line{
			{0, "#ifdef _OPENMP"},
			{0, "extern int omp_get_thread_num(void), omp_get_num_threads(void);"},
			constantOf(w.thread, "omp_get_thread_num()"),
			constantOf(w.threads, "%s", n.expression(number).code),
			{0, "#else"},
			constantOf(w.thread, "0"),
			constantOf(w.threads, "1"),
			{0, "#endif"},
		},
		enclose(fmt.Sprintf("if (%s < %s)", w.thread, w.threads), fragment{lines: append(w.shares(n), w.loop(printed)...)}))
	return braces(slices.Concat(
		[]line{
			constantOf(w.start, "%s", n.expression(h.start).code),
			constantOf(w.stop, "%s", n.expression(lastOf(h.condition)).code),
			constantOf(w.blocks, "%s", n.expression(blocks).code),
			{0, fmt.Sprintf("long %s[%d][8] __attribute__((aligned(%d))) = {{0}};", w.done, mostHanding, cacheLine)},
			{0, "#pragma omp parallel"},
		},
		braces(team)))
}

// handing has the names for a relay's code.
type handing struct {
	*relay
	header loopHeader
	// done are the places of all threads, thread the number of the present one, blocks the number of blocks, step the iteration of which a thread has the
	// first leg, from start to stop; await is the macro that waits for a thread.
	done, thread, blocks, step, start, stop, await string
}

// shares are the bounds of the thread's shares. Blocks are shared out evenly; what the first leg has in front of the first block and behind the last one is
// the first and the last thread's.
func (w *handing) shares(n *nodes) []line {
	behind := func(format string) string {
		return n.expression(operation(isl.OpAdd, w.low, named(fmt.Sprintf(format, w.blocks, w.thread, w.threads)))).code
	}
	return []line{
		constantOf(w.from, "%s", behind("%s * %s / %s")),
		constantOf(w.to, "%s", behind("%s * (%s + 1) / %s - 1")),
		constantOf(w.begin, "%s > 0 ? %d * %s : -__LONG_MAX__", w.thread, w.mark.Size, w.from),
		constantOf(w.end, "%s + 1 < %s ? %d * %s + %d : __LONG_MAX__", w.thread, w.threads, w.mark.Size, w.to, w.mark.Size-1),
	}
}

// loop is the loop through which the threads run.
func (w *handing) loop(printed legs[fragment]) []line {
	variable, place := w.header.variable, func(of string) string { return w.done + "[" + of + "][0]" }
	number := fmt.Sprintf("%s - %s + 1", variable, w.start)
	var between []line
	if len(printed[depend.BetweenLegs].lines) > 0 {
		between = enclose(fmt.Sprintf("if (%s + 1 == %s)", w.thread, w.threads), fragment{lines: printed[depend.BetweenLegs].lines})
	}
	first := slices.Concat(
		[]line{
			constantOf(variable, "%s", w.step),
			{0, fmt.Sprintf("if (%s > 0)", w.thread)},
			{1, fmt.Sprintf("%s(%s, %s)", w.await, place(w.thread+" - 1"), number)},
		},
		printed[depend.FirstLeg].lines,
		between,
		[]line{{0, fmt.Sprintf("__atomic_store_n(&%s, %s, __ATOMIC_RELEASE);", place(w.thread), number)}})
	second := slices.Concat(
		[]line{
			constantOf(variable, "%s - %s + 1", w.step, w.threads),
			{0, fmt.Sprintf("%s(%s, %s)", w.await, place(w.threads+" - 1"), number)},
		},
		printed[depend.SecondLeg].lines)
	steps := slices.Concat(
		enclose(fmt.Sprintf("if (%s <= %s)", w.step, w.stop), fragment{lines: first}),
		enclose(fmt.Sprintf("if (%s - %s + 1 >= %s)", w.step, w.threads, w.start), fragment{lines: second}))
	return enclose(fmt.Sprintf("for (long %[1]s = %[2]s; %[1]s < %[3]s + %[4]s; %[1]s++)", w.step, w.start, w.stop, w.threads), fragment{lines: steps})
}

// constantOf declares a constant number.
func constantOf(name, format string, values ...any) line {
	return line{0, "const long " + name + " = " + fmt.Sprintf(format, values...) + ";"}
}

// await is the name of a macro that waits until a number which another thread counts up has reached another one, and leaves the processor to others when
// that takes long.
func (n *nodes) await() string {
	return n.define("await", "tune_await", func(name string) []string {
		tries := n.fresh("tune_tries")
		wait := fmt.Sprintf("#define %s(reached, count) for (long %[2]s = 0; __atomic_load_n(&(reached), __ATOMIC_ACQUIRE) < (count); %[2]s++)", name, tries)
		return []string{
			"#if defined(__unix__) || defined(__APPLE__)",
			wait + fmt.Sprintf(" if (%s %% 1024 == 1023) { extern int sched_yield(void); sched_yield(); }", tries),
			"#else",
			wait + " {}",
			"#endif",
		}
	})
}
