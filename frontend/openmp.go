package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// OpenMP in the source. A region means what it means without directives: those inside it, and
// those of its first loop in front of #pragma scop, are replaced with the loops. What has another
// meaning then is refused: parts of a parallel region around, whose threads would all run the
// generated code, and what runs on other devices.

// OpenMP's directives by their first word.
var (
	// openMPParts belong to a parallel region around them.
	openMPParts = []string{"for", "sections", "section", "single", "master", "masked", "scope", "workshare", "loop", "distribute",
		"task", "taskloop", "taskwait", "taskyield", "taskgroup", "barrier", "critical", "ordered", "atomic", "flush"}
	// openMPTeams make the threads that run them.
	openMPTeams = []string{"parallel", "teams"}
	// openMPHints say nothing that the text does not mean without them.
	openMPHints = []string{"simd", "declare", "scan", "unroll", "tile", "stripe", "fuse", "split", "allocate", "error", "nothing", "assume", "assumes", "threadprivate"}
	// openMPAlone have no statement.
	openMPAlone = []string{"barrier", "taskwait", "taskyield", "flush", "declare", "scan", "allocate", "error", "nothing", "assumes", "threadprivate",
		"cancel", "cancellation", "requires", "depobj", "interop", "begin", "end"}
	// openMPShared tell that all threads of a team run the function they stand in.
	openMPShared = []string{"for", "sections", "single", "master", "masked", "scope", "workshare", "loop", "barrier"}
	// openMPOneThread are run by one thread of the team alone.
	openMPOneThread = []string{"single", "master", "masked", "sections", "section"}
)

// loopHints are the first words of other pragmas of loops, as compilers have them.
var loopHints = []string{"ivdep", "unroll", "nounroll", "unroll_and_jam", "nounroll_and_jam", "vector", "novector", "simd", "nofusion", "loop_count",
	"loop", "swp", "prefetch", "noprefetch", "distribute_point", "parallel", "noparallel", "block_loop", "noblock_loop", "acc"}

// isOpenMP says that the pragma is one of OpenMP.
func (p pragma) isOpenMP() bool { return strings.HasPrefix(p.body, "omp ") }

// counts says that the pragma is one of OpenMP that the preprocessor passed.
func (p pragma) counts() bool { return !p.inactive && p.isOpenMP() }

// kind is the first word of a directive of OpenMP, "" for other pragmas.
func (p pragma) kind() string {
	if words := p.words(); p.isOpenMP() && len(words) > 1 {
		return words[1]
	}
	return ""
}

// reducesOutside says whether one of OpenMP's directives outside of a region lets threads add up,
// or update what they share, in any order.
func (u *unit) reducesOutside(b bounds) bool {
	return slices.ContainsFunc(u.allPragmas(), func(p pragma) bool {
		isOutside := p.start < b.pragmaStart || p.start >= b.pragmaEnd
		return isOutside && p.counts() &&
			slices.ContainsFunc(p.words(), func(word string) bool { return slices.Contains([]string{"reduction", "atomic", "critical"}, word) })
	})
}

// isOfLoops says that a pragma is OpenMP's, or one of those that compilers have for loops.
func (p pragma) isOfLoops() bool {
	words := append(p.words(), "", "")
	switch words[0] {
	case "omp":
		return true
	case "GCC":
		return slices.Contains(loopHints, words[1])
	case "clang":
		return words[1] == "loop"
	}
	return slices.Contains(loopHints, words[0])
}

// hasStatement says that a pragma belongs to the statement behind it.
func (p pragma) hasStatement() bool {
	words := p.words()
	switch {
	case !p.isOpenMP():
		return p.isOfLoops()
	case p.kind() == "ordered" && (slices.Contains(words, "depend") || slices.Contains(words, "doacross")),
		p.kind() == "target" && len(words) > 2 && slices.Contains([]string{"update", "enter", "exit"}, words[2]):
		return false
	}
	return !slices.Contains(openMPAlone, p.kind())
}

// name is the directive without its clauses, as "omp parallel for".
func (p pragma) name() string {
	words := p.words()
	if !p.isOpenMP() {
		return strings.Join(words[:min(len(words), 2)], " ")
	}
	known := slices.Concat(openMPParts, openMPTeams, openMPHints, []string{"target", "data", "cancel", "update", "enter", "exit", "point", "cancellation"})
	end := 1
	for end < len(words) && (end == 1 || slices.Contains(known, words[end])) && !slices.Contains(words[end:min(end+2, len(words))], "(") {
		end++
	}
	return strings.Join(words[:max(end, min(2, len(words)))], " ")
}

// has says that a word is among those of the directive's name.
func (p pragma) has(word string) bool { return slices.Contains(strings.Fields(p.name()), word) }

// construct is a directive of OpenMP with the statement that it belongs to.
type construct struct {
	pragma
	// first and last are the offsets of the statement's first and last token; last is before
	// first where there is none.
	first, last int
}

func (c construct) contains(offset int) bool { return c.first <= offset && offset <= c.last }

// constructs are OpenMP's of a function, in the order of the text.
func (u *unit) constructs(f *cc.FunctionDefinition) []construct {
	if !u.inFile(f.CompoundStatement) || !slices.ContainsFunc(u.allPragmas(), pragma.counts) {
		return nil
	}
	body, ok := spanOf(f.CompoundStatement)
	if !ok {
		return nil
	}
	var ends map[int]int
	var list []construct
	for _, p := range u.allPragmas() {
		if p.start < body.start || p.start > body.last || !p.counts() {
			continue
		}
		c := construct{pragma: p, last: -1}
		if p.hasStatement() && p.next < len(u.lexemes) {
			if ends == nil {
				ends = statementEnds(f)
			}
			c.first = u.lexemes[p.next].start
			if last, ok := ends[c.first]; ok {
				c.last = last
			}
		}
		list = append(list, c)
	}
	return list
}

// statementEnds are the last tokens of a function's statements, by their first ones.
func statementEnds(f *cc.FunctionDefinition) map[int]int {
	ends := map[int]int{}
	visit(f.CompoundStatement, func(n cc.Node) {
		if s, ok := n.(*cc.Statement); ok {
			if extent, ok := spanOf(s); ok {
				ends[extent.start] = max(ends[extent.start], extent.last)
			}
		}
	})
	return ends
}

const (
	wholeAdvice   = "put the region around the whole parallel construct, or take the directives away"
	aroundAdvice  = "put #pragma scop and #pragma endscop around the whole construct, directive included, so that it is replaced, or take the directive away"
	anotherDevice = "take the directive away: the generated code runs on this machine's processors"
)

// keepOpenMP looks at OpenMP's directives around the region and inside it.
func (x *extractor) keepOpenMP() {
	all := x.constructs(x.function)
	for _, c := range all {
		if x.isInRegion(c.pragma) {
			x.keepConstruct(c, all)
			x.keepClauses(c)
		}
	}
	x.checkAround(all)
	x.warnOfTeams()
}

// isInRegion says that a pragma is replaced with the region.
func (x *extractor) isInRegion(p pragma) bool {
	return p.start >= x.bounds.pragmaStart && p.start < x.bounds.end
}

func (x *extractor) refusePragma(p pragma, message, advice string) {
	x.refusesDirective = true
	x.problems = append(x.problems, &Error{x.position(p.start), "#pragma " + p.name(), "#pragma " + p.name() + " " + message, advice})
}

// keepConstruct refuses a directive of the region that means something else without a team of
// threads, or on one processor.
func (x *extractor) keepConstruct(c construct, all []construct) {
	kind := c.kind()
	switch {
	case kind == "target" || c.has("target"):
		x.refusePragma(c.pragma, "runs on another device, with data that may be there only", anotherDevice)
	case c.hasStatement() && c.last < c.first:
		x.refusePragma(c.pragma, "stands in front of no statement that is understood", "put it directly in front of its statement")
	case c.hasStatement() && c.last >= x.bounds.end:
		x.refusePragma(c.pragma, "belongs to a statement that does not end inside the region", "put the directive and its statement inside the region, or both outside of it")
	case slices.Contains(openMPTeams, kind), slices.Contains(openMPHints, kind):
	case !slices.Contains(openMPParts, kind):
		x.refusePragma(c.pragma, "inside the region is not understood, so that it is not known what the region means without it", "take it away, or end the region in front of it")
	case !x.isInTeam(c, all) && kind == "atomic":
		x.refusePragma(c.pragma, "without omp parallel around it inside the region: threads that work elsewhere on the same data need it, and the generated code does not have it", wholeAdvice)
	case !x.isInTeam(c, all):
		x.refusePragma(c.pragma, "belongs to a parallel region around #pragma scop: each of its threads would run the whole generated code", wholeAdvice)
	}
}

// isInTeam says that a directive stands in a parallel construct of the region.
func (x *extractor) isInTeam(c construct, all []construct) bool {
	return slices.ContainsFunc(all, func(o construct) bool {
		return x.isInRegion(o.pragma) && slices.Contains(openMPTeams, o.kind()) && o.start != c.start && (o.contains(c.start) || c.last >= c.first && o.start < c.start && o.contains(c.first))
	})
}

// checkAround refuses a region whose code several threads would run.
func (x *extractor) checkAround(all []construct) {
	oneThread := false
	for _, c := range slices.Backward(all) {
		if x.isInRegion(c.pragma) || !c.contains(x.bounds.start) {
			continue
		}
		switch kind := c.kind(); {
		case c.has("simd"):
			x.refusePragma(c.pragma, "around the region: its iterations run in the lanes of vectors, which have no loops for threads", aroundAdvice)
			return
		case c.has("target"):
			x.refusePragma(c.pragma, "around the region runs it on another device", anotherDevice)
			return
		case slices.Contains([]string{"critical", "ordered"}, kind):
			x.refusePragma(c.pragma, "around the region: the generated code has threads and critical sections of its own, which would wait for this one", aroundAdvice)
			return
		case slices.Contains(openMPOneThread, kind):
			x.warnings = append(x.warnings, &Error{x.position(c.start), "#pragma " + c.name(),
				"one thread runs the region inside #pragma " + c.name() + ": its parallel loops have no other threads unless OMP_MAX_ACTIVE_LEVELS is 2 or more", "put the region around the whole parallel construct"})
			oneThread = true
		case slices.Contains(openMPTeams, kind) && oneThread && !c.has("for") && !c.has("distribute"):
			oneThread = false
		case slices.Contains([]string{"for", "distribute", "loop", "task", "taskloop"}, kind), c.has("for"), c.has("distribute"):
			x.refusePragma(c.pragma, "around the region: several threads would run the generated code at the same time, each with parallel loops of its own", aroundAdvice)
			return
		case slices.Contains(openMPTeams, kind):
			x.refusePragma(c.pragma, "around the region: each of its threads would run the whole generated code", aroundAdvice)
			return
		}
	}
	if !oneThread {
		x.checkShared(all)
	}
}

// checkShared refuses a region in a function that all threads of a team run: parts of a parallel
// region that is not in the function tell that.
func (x *extractor) checkShared(all []construct) {
	for _, c := range all {
		isInTeam := slices.ContainsFunc(all, func(o construct) bool {
			return (slices.Contains(openMPTeams, o.kind()) || o.has("target")) && o.contains(c.start)
		})
		if slices.Contains(openMPShared, c.kind()) && !isInTeam && !x.isInRegion(c.pragma) {
			x.refusePragma(c.pragma, fmt.Sprintf("without omp parallel around it in %s: all threads of a parallel region run this function, and each of them would run the generated code", x.function.Declarator.Name()),
				"write omp parallel inside the function and put the region around that, or take the directives away")
			return
		}
	}
}

// warnOfTeams warns where the file's functions call that of the region from several threads.
func (x *extractor) warnOfTeams() {
	for _, f := range x.functions() {
		for _, c := range x.constructs(f) {
			if !slices.Contains(openMPTeams, c.kind()) || f == x.function {
				continue
			}
			if x.calledWithin(f, c) {
				x.warnings = append(x.warnings, &Error{x.position(c.start), "#pragma " + c.name(),
					fmt.Sprintf("%s is called here from a parallel region: threads that run its region at the same time must not share what it writes, and its parallel loops have no other threads unless OMP_MAX_ACTIVE_LEVELS is 2 or more", x.function.Declarator.Name()),
					"put a region around the whole parallel construct"})
				return
			}
		}
	}
}

// calledWithin says that the region's function is called in a construct of another function.
func (x *extractor) calledWithin(f *cc.FunctionDefinition, c construct) (called bool) {
	visit(f.CompoundStatement, func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		if called || !ok || p.Case != cc.PrimaryExpressionIdent {
			return
		}
		called = p.Token.SrcStr() == x.function.Declarator.Name() && c.contains(p.Token.Position().Offset)
	})
	return called
}
