package device

import (
	"fmt"
	"slices"
	"strings"

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
	for _, a := range p.used {
		if a.SecondOf != nil {
			p.kernel.Written[a.Name], p.kernel.Written[a.SecondOf.Name] = true, false
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
		return p.stores(s)
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
