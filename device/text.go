package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// Kernel is a kernel with its text.
type Kernel struct {
	*loopir.Kernel
	// Blocks are the loops whose iterations are blocks, the outermost first.
	Blocks []*loopir.For
	// Arrays, Values and Integers are its arguments: Integers are names of variables and
	// parameters, Extents further integers in C.
	Arrays []*Array
	// Direct are the arrays of which statements use elements where they are, and not in copies.
	Direct   []*Array
	Values   []value
	Integers []string
	Extents  []string
	// Along are the dimensions along y and z of the grid that have several blocks. The kernel gets
	// the number of the first block of each behind the other integers: there may be more blocks
	// than devices start at once.
	Along []int
	// Sizes computes how large the kernel's integers get.
	Sizes *magnitudes
	// HasDouble says that some number is a double.
	HasDouble bool
	// Written are the names of the arrays that it writes.
	Written map[string]bool
	// Boxes are the copies in memories of the device, and SharedBytes the size of those in shared
	// memory.
	Boxes       []mark.Box
	SharedBytes int64
	// Asked are the bytes of shared memory that a launch in CUDA asks for, 0 where the kernel
	// declares what it has.
	Asked     int64
	Occupancy Occupancy
	// AddsUp are the clauses under which threads have accumulators of their own, and Atomics the
	// functions that the kernel needs for what blocks add up together.
	AddsUp  []scop.Clause
	Atomics []Atomic
	// Vectors are about the boxes whose elements are loaded several at once.
	Vectors []VectorReport
	// Core is about the code of full tiles, nil where there is none.
	Core *Core
	Text string
}

// kernelText writes a kernel.
type kernelText struct {
	*instances
	lines
	language Language
	kernel   *Kernel
	// defined are the variables that the kernel has itself.
	defined map[string]bool
	// loops counts the loops whose iterations are blocks, by their dimensions.
	loops [3]int
	sizes *magnitudes
	// inCore is what the code of full tiles at hand has, nil outside of such, and variables counts
	// those with elements that several instances read.
	inCore    *Core
	variables int
	// trees are the declarations of the arrays in shared memory in which threads put together what
	// they have added up.
	trees []string
}

// print writes the text of a kernel.
func print(k *loopir.Kernel, program *scop.Program, arrays map[string]*Array, language Language, mostShared int64) (*Kernel, error) {
	w := &words{program: program}
	p := &kernelText{
		instances: &instances{words: w, arrays: arrays, locals: map[string]bool{}, function: language.Function},
		language:  language, kernel: &Kernel{Kernel: k, Written: map[string]bool{}}, defined: map[string]bool{}, lines: lines{depth: 1},
	}
	p.turnsOf, p.memory, p.accumulators = map[string]*loopir.Expr{}, p.memoryName, map[string]string{}
	p.declares = language.Constant == ""
	w.index = func(isThread bool, dimension int) string {
		switch {
		case !isThread:
			return "tune_block" + dimensions[dimension]
		case k.Threads[dimension] == 1:
			return "0"
		}
		return "tune_thread" + dimensions[dimension]
	}
	w.named = p.note
	p.sizes = &magnitudes{given: func(name string) bool {
		return strings.HasPrefix(name, "tune_") || slices.ContainsFunc(p.kernel.Integers, func(i string) bool { return deviceWord(i) == name })
	}}
	w.measured = p.measured
	p.countBlocks()
	if err := p.code(k.Body); err != nil {
		return nil, err
	}
	if w.err != nil {
		return nil, w.err
	}
	for _, r := range loopir.Runs(k.Body) {
		for _, access := range r.Statement.Statement.Accesses {
			if access.Write {
				p.kernel.Written[access.Array] = true
			}
		}
	}
	if p.asks(); p.kernel.waitsTogether() {
		mostShared = min(mostShared, boxes.MostShared)
	}
	if p.kernel.SharedBytes > mostShared {
		return nil, fmt.Errorf("its copies in shared memory have %d bytes, and a block has %d; the command shared allows more where the device does", p.kernel.SharedBytes, mostShared)
	}
	p.kernel.Direct = p.direct
	p.kernel.Arrays, p.kernel.Values, p.kernel.Extents, p.kernel.Sizes = p.used, p.values, p.extents, p.sizes
	p.kernel.HasDouble = p.hasDouble || slices.ContainsFunc(p.used, func(a *Array) bool { return elementType(a.Array) == double }) ||
		slices.ContainsFunc(p.values, func(v value) bool { return v.Type == double })
	p.kernel.Occupancy = p.occupancy()
	p.kernel.Text = p.header() + p.written.String() + "}\n"
	return p.kernel, nil
}

// countBlocks finds the dimensions of the kernel's grid.
func (p *kernelText) countBlocks() {
	loopir.Walk(p.kernel.Body, func(s loopir.Stmt) {
		if l, is := s.(*loopir.For); is && l.Share != nil && !l.Share.Threads {
			p.loops[l.Share.Dimension]++
		}
	})
	for dimension := 1; dimension < len(p.loops); dimension++ {
		if p.loops[dimension] > 0 && p.kernel.Spans == nil {
			p.kernel.Along = append(p.kernel.Along, dimension)
		}
	}
}

var dimensions = [3]string{"x", "y", "z"}

// firstBlock is the name of the number of the first block along a dimension.
func firstBlock(dimension int) string { return "tune_first" + dimensions[dimension] }

// note notes a variable that comes from outside.
func (p *kernelText) note(name string) {
	if !p.defined[name] && !slices.Contains(p.kernel.Integers, name) {
		p.kernel.Integers = append(p.kernel.Integers, name)
	}
}

// header is what stands in front of the kernel's code.
func (p *kernelText) header() string {
	var parameters []string
	for _, a := range p.used {
		kind := elementType(a.Array)
		if a.Constant && p.declares {
			continue
		}
		if a.Constant {
			parameters = append(parameters, p.language.Constant+kind+" *"+p.language.Restrict+deviceName(a.Array))
			continue
		}
		if !p.kernel.Written[a.Name] {
			kind = "const " + kind
		}
		parameters = append(parameters, p.language.Global+kind+" *"+p.restricted(a)+deviceName(a.Array))
	}
	for _, v := range p.values {
		parameters = append(parameters, "const "+v.Type+" "+deviceWord(v.Name))
	}
	for _, integer := range p.kernel.Integers {
		parameters = append(parameters, "const tune_int "+deviceWord(integer))
	}
	for k := range p.extents {
		parameters = append(parameters, "const tune_int "+extentName(k))
	}
	for _, dimension := range p.kernel.Along {
		parameters = append(parameters, "const tune_int "+firstBlock(dimension))
	}
	text := p.language.Kernel(p.kernel.Threads) + " " + p.kernel.Name + "(" + strings.Join(parameters, ", ") + ") {\n"
	text += p.sharedText() + strings.Join(p.trees, "")
	for dimension, count := range p.kernel.Threads {
		if count > 1 {
			text += fmt.Sprintf("  const tune_int tune_thread%s = %s;\n", dimensions[dimension], p.language.Thread[dimension])
		}
	}
	for dimension, count := range p.loops {
		if count == 0 {
			continue
		}
		number := "(tune_int) " + p.language.Block[dimension]
		if slices.Contains(p.kernel.Along, dimension) {
			number = firstBlock(dimension) + " + " + number
		}
		text += fmt.Sprintf("  const tune_int tune_block%s = %s;\n", dimensions[dimension], number)
		if p.kernel.Spans != nil && !p.kernel.OneEach() {
			text += fmt.Sprintf("  const tune_int %s = (tune_int) %s;\n", blockCount(dimension), p.language.Blocks[dimension])
		}
	}
	return text
}

// restricted says that nobody else has an array's elements, which is not so where blocks that stay
// write them: others read them in the same kernel.
func (p *kernelText) restricted(a *Array) string {
	if p.kernel.Spans != nil && p.kernel.Written[a.Name] {
		return ""
	}
	return p.language.Restrict
}

// elementType is the C type of an array's elements.
func elementType(a *scop.Array) string {
	return typeName(a.Type)
}

// block writes code in braces behind what stands in front of them.
func (p *kernelText) block(header string, code loopir.Code) error {
	return p.inBraces(header, func() error { return p.code(code) })
}

func (p *kernelText) code(code loopir.Code) error {
	for _, s := range code {
		if err := p.statement(s); err != nil {
			return err
		}
	}
	return nil
}

func (p *kernelText) statement(s loopir.Stmt) error {
	switch s := s.(type) {
	case *loopir.For:
		return p.loop(s)
	case *loopir.If:
		if p.inCore != nil {
			p.inCore.Conditions++
		}
		err := p.block("if ("+p.words.text(s.Cond)+")", s.Then)
		if err != nil || len(s.Else) == 0 {
			return err
		}
		return p.block("else", s.Else)
	case *loopir.Let:
		p.line("{")
		p.depth++
		p.line("const tune_int %s = %s;", s.Var, p.words.text(s.Value))
		p.sizes.loop(s.Var, p.tree(s.Value), number(0), "0.0")
		p.defined[s.Var] = true
		err := p.code(s.Body)
		p.depth--
		p.line("}")
		return err
	case *loopir.Run:
		e, err := p.instanceOf(s)
		if err != nil {
			return err
		}
		p.line("%s;", textOf(e))
		p.counts(e)
		return nil
	case *loopir.Private:
		p.line("%s;", booleans.ReplaceAllString(s.Declaration, "unsigned char"))
		p.hasDouble = p.hasDouble || strings.HasPrefix(s.Declaration, double)
		for _, private := range p.program.Privates() {
			if private.Declaration == s.Declaration {
				p.locals[private.Name] = true
			}
		}
		return nil
	case *loopir.Barrier:
		if s.Grid {
			p.line("%s", p.language.GridBarrier)
		} else {
			p.line("%s", p.language.Barrier)
		}
		return nil
	case *loopir.AddUp:
		return p.addUp(s)
	case *loopir.Box:
		return p.box(s)
	case *loopir.Transfer:
		return p.transfer(s)
	case *loopir.Block:
		return p.block("", s.Body)
	case *loopir.Core:
		return p.core(s)
	case *loopir.Step:
		return p.step(s)
	case *loopir.Streamed:
		return p.streamed(s)
	}
	return fmt.Errorf("kernels have no text for %T", s)
}

// instanceOf is the tree of an instance, or an error that names the statement.
func (p *kernelText) instanceOf(r *loopir.Run) (scop.Expr, error) {
	e, err := p.instance(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Statement.Statement.Spelling(), err)
	}
	return e, nil
}

// loop writes a loop: the one iteration that is the block's, those of the thread, or all. Of a loop
// that fewer threads share than the kernel has, the others have none.
func (p *kernelText) loop(l *loopir.For) error {
	if p.inCore != nil {
		p.inCore.Unrolled = false
	}
	if s := l.Share; s != nil && s.Threads && s.Count < p.kernel.Threads[s.Dimension] {
		return p.inBraces(fmt.Sprintf("if (%s < %d)", p.index(true, s.Dimension), s.Count), func() error { return p.iterations(l) })
	}
	return p.iterations(l)
}

// iterations writes a loop for the threads that have some of its iterations.
func (p *kernelText) iterations(l *loopir.For) error {
	switch {
	case l.Turns > 0:
		return p.turns(l)
	case l.Share != nil && !l.Share.Threads && p.kernel.Spans != nil:
		return p.resident(l)
	case l.Share != nil && !l.Share.Threads:
		return p.blocks(l)
	case l.Share != nil:
		return p.threads(l)
	}
	from := p.words.text(l.From)
	p.defined[l.Var] = true
	p.measuresLoop(l, p.sizes.of(p.tree(l.Step)))
	if l.Unrolled {
		p.line("#pragma unroll")
	}
	return p.block(fmt.Sprintf("for (tune_int %s = %s; %s; %s += %s)", l.Var, from, p.words.text(l.While), l.Var, p.words.text(l.Step)), l.Body)
}

// blocks writes the iteration of a loop that is the block's. The host starts as many blocks as
// there are iterations: where that depends on another block's, there are as many as the longest of
// the loops has; so there are where several loops are blocks along one dimension, or block 0 has
// something to do by itself.
func (p *kernelText) blocks(l *loopir.For) error {
	number := p.index(false, l.Share.Dimension)
	if step := p.words.text(l.Step); step != "1" {
		number = step + " * " + number
	}
	from := p.words.text(l.From)
	outside := p.kernel.Blocks
	if slices.ContainsFunc(outside, func(other *loopir.For) bool { return other.Share.Dimension == l.Share.Dimension }) {
		return fmt.Errorf("isl has made several loops of one whose iterations are blocks along %s", dimensions[l.Share.Dimension])
	}
	p.kernel.Blocks = append(p.kernel.Blocks, l)
	p.defined[l.Var] = true
	p.measuresLoop(l, "0.0")
	p.line("{")
	p.depth++
	if from == "0" {
		p.line("const tune_int %s = %s;", l.Var, number)
	} else {
		p.line("const tune_int %s = %s + %s;", l.Var, from, number)
	}
	var err error
	if p.loops[l.Share.Dimension] > 1 || (sharers{dimension: l.Share.Dimension}).asks(p.kernel.Body) || slices.ContainsFunc(outside, func(outer *loopir.For) bool { return dependsOn(l, l.Var, outer.Var) }) {
		err = p.block("if ("+p.words.text(l.While)+")", l.Body)
	} else {
		err = p.code(l.Body)
	}
	p.depth--
	p.line("}")
	return err
}

// dependsOn says whether the bounds of a loop name a variable other than its own.
func dependsOn(l *loopir.For, own, variable string) bool {
	variables := map[string]bool{variable: true}
	return variable != own && loopir.Mentions(l.From, variables) || loopir.Mentions(l.While, variables)
}

// threads writes the iterations that are the thread's: those with its number modulo the number of
// threads. The first of them is at most so many iterations behind the first one of all.
func (p *kernelText) threads(l *loopir.For) error {
	count, index := l.Share.Count, p.index(true, l.Share.Dimension)
	p.defined[l.Var] = true
	p.measuresLoop(l, fmt.Sprintf("%d.0 + %s", count, p.sizes.of(p.tree(l.Step))))
	if !l.Step.IsInt(1) {
		turn := loopir.Operation(isl.OpEq, modulo(loopir.Named(l.Var), count), loopir.Index(l.Share.Dimension))
		header := fmt.Sprintf("for (tune_int %s = %s; %s; %s += %s)", l.Var, p.words.text(l.From), p.words.text(l.While), l.Var, p.words.text(l.Step))
		return p.block(header, loopir.Code{&loopir.If{Cond: turn, Then: l.Body}})
	}
	base, others := alignedStart(l.From, count)
	var first string
	switch {
	case base == nil:
		from := p.words.text(l.From)
		first = fmt.Sprintf("tune_turn(%s, %s, %d)", from, index, count)
	case base.IsInt(0):
		first = index
	default:
		first = textOf(joined("+", p.tree(base), name(index)))
	}
	header := fmt.Sprintf("for (tune_int %s = %s; %s; %s += %d)", l.Var, first, p.words.text(l.While), l.Var, count)
	if len(others) == 0 {
		return p.block(header, l.Body)
	}
	return p.block(header, loopir.Code{&loopir.If{Cond: atLeastAll(l.Var, others), Then: l.Body}})
}

// atLeastAll says that a variable is not below some bounds; nil for none.
func atLeastAll(variable string, bounds []*loopir.Expr) (condition *loopir.Expr) {
	for _, bound := range bounds {
		at := loopir.Operation(isl.OpGe, loopir.Named(variable), bound)
		if condition == nil {
			condition = at
		} else {
			condition = loopir.Operation(isl.OpAnd, condition, at)
		}
	}
	return condition
}

// alignedStart parts a lower bound, the largest of several, in one that is a multiple of a number
// and not far below the others, and the others; base is nil where there is none.
func alignedStart(from *loopir.Expr, count int64) (base *loopir.Expr, others []*loopir.Expr) {
	bounds := []*loopir.Expr{from}
	if from.Is(isl.OpMax) {
		bounds = from.Args
	}
	for k, bound := range bounds {
		isZero := len(bounds) > 1 && bound.Kind == isl.AstInt
		if isMultiple(bound, count) && !isZero {
			return bound, slices.Delete(slices.Clone(bounds), k, k+1)
		}
	}
	return nil, nil
}

// isMultiple says whether an expression is a multiple of a number whatever its variables are.
func isMultiple(e *loopir.Expr, of int64) bool {
	switch {
	case of == 1:
		return true
	case e.Kind == isl.AstInt:
		return e.Value%of == 0
	case e.Is(isl.OpMul):
		return slices.ContainsFunc(e.Args, func(a *loopir.Expr) bool { return isMultiple(a, of) })
	case e.Is(isl.OpAdd), e.Is(isl.OpSub), e.Is(isl.OpMinus):
		return !slices.ContainsFunc(e.Args, func(a *loopir.Expr) bool { return !isMultiple(a, of) })
	}
	return false
}
