package frontend

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// span is the extent of a node in the user's text and in the stream of
// preprocessed tokens.
type span struct {
	// start is the offset of the first token, last that of the last one. A
	// token out of a macro has the offset of the macro's name.
	start, last int
	// firstSequence and lastSequence number the tokens.
	firstSequence, lastSequence int
	tokens                      []cc.Token
}

// spanOf is the span of a node; ok is false for a node without tokens.
func spanOf(n cc.Node) (s span, ok bool) {
	s.tokens = tokensOf(n)
	if len(s.tokens) == 0 {
		return s, false
	}
	first, last := s.tokens[0], s.tokens[len(s.tokens)-1]
	s.start, s.last = first.Position().Offset, last.Position().Offset
	s.firstSequence, s.lastSequence = first.Seq(), last.Seq()
	return s, true
}

// contains says that a token is one of the span.
func (s span) contains(t cc.Token) bool {
	return s.firstSequence <= t.Seq() && t.Seq() <= s.lastSequence
}

// bounds are the offsets of a region's text, without and with its pragmas.
type bounds struct {
	start, end             int
	pragmaStart, pragmaEnd int
	// front is the end of the pragmas of the first loop that stand in front of #pragma scop.
	front  int
	pragma Position
	// noAlias says that pointers are known to lead to different memory.
	noAlias bool
	// pure are functions that are known to have no side effects.
	pure []string
	// statements are the names that people have for the region's statements, in their order; none
	// where they are called S0, S1 and so on.
	statements []string
	// number is the region's place in the file, from 0.
	number int
}

// regionBounds pairs the pragmas that the preprocessor saw.
func (u *unit) regionBounds() ([]bounds, error) {
	var found []bounds
	var problems ErrorList
	var open *bounds
	for _, offset := range u.pragmas {
		line, next := u.lineStart(offset), u.lineEnd(offset)
		isStart := bytes.HasPrefix(u.source[offset:], []byte("scop"))
		switch {
		case isStart && open != nil:
			problems = append(problems, &Error{u.position(offset), "#pragma scop",
				fmt.Sprintf("#pragma scop inside the region that starts at line %d", open.pragma.Line),
				"regions cannot nest: end the first one with #pragma endscop before this line"})
		case isStart:
			open = &bounds{start: next, pragmaStart: u.frontOf(offset, line), front: line, pragma: u.position(offset)}
			words := strings.Join(strings.Fields(string(u.withoutComments(offset+len("scop"), next))), " ")
			if unknown := open.take(words); unknown != "" {
				problems = append(problems, &Error{open.pragma, "#pragma scop", fmt.Sprintf("#pragma scop has no option %s", unknown),
					"write #pragma scop, or #pragma scop " + assumeNoAlias + " where no two pointers lead to the same memory, or #pragma scop " + assumePure +
						"(NAME, …) where these functions have no side effects, or #pragma scop " + statements + "(NAME, …) to name the statements"})
			}
		case open == nil:
			problems = append(problems, &Error{u.position(offset), "#pragma endscop",
				"#pragma endscop without a #pragma scop before it", "add #pragma scop in front of the loop nest"})
		default:
			open.end, open.pragmaEnd, open.number = line, next, len(found)
			found = append(found, *open)
			open = nil
		}
	}
	if open != nil {
		problems = append(problems, &Error{open.pragma, "#pragma scop",
			"#pragma scop is never ended", "add #pragma endscop behind the loop nest"})
	}
	if len(found) == 0 && len(problems) == 0 {
		return nil, &NoRegionError{File: u.name, Inactive: true}
	}
	return found, problems.asError()
}

// functions are the functions that the file itself defines.
func (u *unit) functions() []*cc.FunctionDefinition {
	var list []*cc.FunctionDefinition
	for l := u.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		if d := l.ExternalDeclaration; d != nil && d.Case == cc.ExternalDeclarationFuncDef {
			list = append(list, d.FunctionDefinition)
		}
	}
	return list
}

// inFile says that the node stands in the user's file, not in a header.
func (u *unit) inFile(n cc.Node) bool { return n.Position().Filename == u.name }

// extractFile extracts the regions of a unit. With the error comes the file as far as it can be
// modelled.
func extractFile(u *unit, kernel string, options *Options) (*File, error) {
	all, err := u.regionBounds()
	if err != nil {
		return nil, err
	}
	file := &File{Path: u.name, Source: u.source}
	functions := u.functions()
	definitions := map[string]*cc.FunctionDefinition{}
	for _, f := range functions {
		definitions[f.Declarator.Name()] = f
	}
	_, file.HasMain = definitions["main"]
	names, macros := u.names(), u.smallMacros()
	var problems ErrorList
	for i, b := range all {
		name := kernel
		if len(all) > 1 {
			name = fmt.Sprintf("%s#%d", kernel, i+1)
		}
		region := u.withoutProgram(b, functions)
		if region.Refused = options.refused[i]; region.Refused == nil && options.Asks(i, region.Function) {
			extracted, err := extractSafely(u, b, functions, definitions, name)
			if err == nil {
				region = extracted
			}
			region.Refused = err
			problems.add(err)
		}
		region.Names, region.Macros = names, macros
		file.Regions = append(file.Regions, *region)
	}
	return file, problems.asError()
}

// isPartly says whether some region of the file is modelled.
func (f *File) isPartly() bool {
	return slices.ContainsFunc(f.Regions, func(r Region) bool { return r.Program != nil })
}

// withoutProgram is a region that is not asked for, or cannot be modelled.
func (u *unit) withoutProgram(b bounds, functions []*cc.FunctionDefinition) *Region {
	region := &Region{Start: b.start, End: b.end, PragmaStart: b.pragmaStart, PragmaEnd: b.pragmaEnd, front: b.front}
	if function := u.functionAround(b, functions); function != nil {
		region.Function = function.Declarator.Name()
	}
	return region
}

// names are the identifiers of the text and all macros and file-scope names
// of the headers.
func (u *unit) names() map[string]bool {
	names := u.identifiers()
	for name := range u.ast.Macros {
		names[name] = true
	}
	for name := range u.ast.Scope.Nodes {
		names[name] = true
	}
	return names
}

// smallMacros are the macros of small letters that the file itself defines.
func (u *unit) smallMacros() (names []string) {
	for name, m := range u.ast.Macros {
		if name == strings.ToLower(name) && m.Name.Position().Filename == u.name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// extractSafely turns a panic on syntax that nobody thought of into a refusal.
func extractSafely(u *unit, b bounds, functions []*cc.FunctionDefinition, definitions map[string]*cc.FunctionDefinition, name string) (region *Region, err error) {
	defer func() {
		if p := recover(); p != nil {
			region, err = nil, ErrorList{{b.pragma, "#pragma scop",
				"the region has syntax that is not understood (" + firstLine(fmt.Sprint(p)) + ")",
				"use for loops, if and assignments in plain C"}}
		}
	}()
	return extractRegion(u, b, functions, definitions, name)
}

// extractRegion finds the function and the statements of a region and
// extracts its program.
func extractRegion(u *unit, b bounds, functions []*cc.FunctionDefinition, definitions map[string]*cc.FunctionDefinition, name string) (*Region, error) {
	function := u.functionAround(b, functions)
	if function == nil {
		return nil, ErrorList{{b.pragma, "#pragma scop", "#pragma scop and #pragma endscop are not inside one function",
			"put both around the loop nest in a function's body"}}
	}
	items, err := u.itemsIn(b, function)
	if err != nil {
		return nil, err
	}
	items, exchange := u.exchangeBehind(b, items, function)
	b.noAlias = b.noAlias || u.noAlias
	known := newReading()
	x := newExtractor(u, b, function, definitions, items, known)
	program, err := x.extract(name, items)
	for x.readAgain() {
		x = newExtractor(u, b, function, definitions, items, known)
		program, err = x.extract(name, items)
	}
	if err != nil {
		return nil, err
	}
	if exchange != "" {
		x.endings = append(x.endings, exchange)
	}
	var declared []*cc.Declarator
	program.Function.Variables, declared = x.variables(program, items)
	x.noteHeld(&program.Function, declared)
	x.noteDerived(&program.Function)
	x.noteOwnMemory(&program.Function)
	same, without, other := initOf(u, definitions, program)
	if other {
		name := program.Function.Name
		x.warnings = append(x.warnings, x.errorAt(definitions[name+"_init"].Declarator, "function",
			fmt.Sprintf("%s_init does not take the arguments of %s, so it does not initialise its data", name, name), "give it the same arguments, or none; a struct is passed by a pointer to it"))
	}
	region := &Region{
		Program: program, Function: function.Declarator.Name(),
		Start: b.start, End: b.end, PragmaStart: b.pragmaStart, PragmaEnd: b.pragmaEnd, front: b.front,
		blank:    u.pragmasOfLoops(b),
		user:     u.usersTextOf(b),
		Indent:   u.indent(b),
		HasInit:  same || without,
		Warnings: x.warnings.sorted(), IfReordered: x.ifReordered.sorted(),

		InitTakesNothing: without, IsLast: x.isLast(), ReducesElsewhere: u.reducesOutside(b),
		OutsideIterators: x.replacedVariables(), Declarations: x.quietDeclarations(), Beginnings: x.beginnings, Endings: x.endings,
	}
	x.noteChanges(region.user)
	return region, nil
}

func (u *unit) functionAround(b bounds, functions []*cc.FunctionDefinition) *cc.FunctionDefinition {
	for _, f := range functions {
		body := f.CompoundStatement
		if !u.inFile(body) {
			continue
		}
		if body.Token.Position().Offset < b.start && body.Token2.Position().Offset >= b.end {
			return f
		}
	}
	return nil
}

// indent is the white space in front of the first token of the region.
func (u *unit) indent(b bounds) string {
	for _, l := range u.between(b.start, b.end) {
		if l.kind == directive {
			continue
		}
		line := string(u.source[u.lineStart(l.start):l.start])
		return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	}
	return ""
}

// itemsIn are the statements and declarations of the region: a run of
// siblings in one block, none of them cut by a pragma.
func (u *unit) itemsIn(b bounds, function *cc.FunctionDefinition) ([]*cc.BlockItem, error) {
	items, err := u.itemsInBlock(b, function.CompoundStatement)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, u.emptyRegion(b)
	}
	return items, nil
}

// emptyRegion is the error of a region without a statement. What an #include in it stands for is
// the text of another file.
func (u *unit) emptyRegion(b bounds) error {
	for _, l := range u.between(b.start, b.end) {
		if words := u.directiveWords(l); l.kind == directive && len(words) > 0 && words[0] == "include" {
			return ErrorList{{u.position(l.start), "#include", "#include inside the region: the statements are those of another file",
				"write them here, or put #pragma scop and #pragma endscop around them there"}}
		}
	}
	return ErrorList{{b.pragma, "#pragma scop", "the region has no statement", "put the loop nest between #pragma scop and #pragma endscop"}}
}

func (u *unit) itemsInBlock(b bounds, block *cc.CompoundStatement) ([]*cc.BlockItem, error) {
	var inside []*cc.BlockItem
	for l := block.BlockItemList; l != nil; l = l.BlockItemList {
		s, ok := u.keptSpan(l.BlockItem)
		if !ok || s.last < b.start || s.start >= b.end || s.start == block.Token.Position().Offset {
			continue
		}
		if s.start >= b.start && s.last < b.end {
			inside = append(inside, l.BlockItem)
			continue
		}
		if s.start < b.start && s.last >= b.end {
			return u.itemsInStatement(b, l.BlockItem.Statement)
		}
		behind, err := u.behindLabel(b, l.BlockItem.Statement)
		if behind == nil && err == nil {
			err = ErrorList{u.cutBy(s, b)}
		}
		if err != nil {
			return nil, err
		}
		inside = append(inside, behind)
	}
	return inside, nil
}

// behindLabel is the statement of the region that labels in front of #pragma scop belong to, as
// those of a switch; nil where there is none.
func (u *unit) behindLabel(b bounds, s *cc.Statement) (*cc.BlockItem, error) {
	if s == nil || s.Case != cc.StatementLabeled {
		return nil, nil
	}
	for s.Case == cc.StatementLabeled {
		if colon := s.LabeledStatement.Token; colon.Position().Offset >= b.start {
			return nil, ErrorList{{u.position(colon.Position().Offset), "label", "a label inside the region", labelAdvice}}
		}
		s = s.LabeledStatement.Statement
	}
	extent, ok := spanOf(s)
	if !ok || extent.start < b.start || extent.last >= b.end {
		return nil, nil
	}
	return &cc.BlockItem{Case: cc.BlockItemStmt, Statement: s}, nil
}

// itemsInStatement looks for the region inside a statement that surrounds it.
func (u *unit) itemsInStatement(b bounds, s *cc.Statement) ([]*cc.BlockItem, error) {
	if s == nil {
		return nil, nil
	}
	switch s.Case {
	case cc.StatementCompound:
		return u.itemsInBlock(b, s.CompoundStatement)
	case cc.StatementIteration:
		return u.itemsInBranch(b, s.IterationStatement.Statement)
	case cc.StatementLabeled:
		return u.itemsInBranch(b, s.LabeledStatement.Statement)
	case cc.StatementSelection:
		items, err := u.itemsInBranch(b, s.SelectionStatement.Statement)
		if err != nil || len(items) > 0 || s.SelectionStatement.Statement2 == nil {
			return items, err
		}
		return u.itemsInBranch(b, s.SelectionStatement.Statement2)
	}
	return nil, nil
}

func (u *unit) itemsInBranch(b bounds, s *cc.Statement) ([]*cc.BlockItem, error) {
	extent, ok := spanOf(s)
	switch {
	case !ok || extent.last < b.start || extent.start >= b.end:
		return nil, nil
	case extent.start >= b.start && extent.last < b.end:
		return []*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: s}}, nil
	case extent.start < b.start && extent.last >= b.end:
		return u.itemsInStatement(b, s)
	}
	return nil, ErrorList{u.cutBy(extent, b)}
}

func (u *unit) cutBy(s span, b bounds) *Error {
	which := "#pragma endscop"
	if s.start < b.start {
		which = "#pragma scop"
	}
	return &Error{u.position(s.start), which, "the statement that starts here is cut in two by " + which,
		"put whole statements between #pragma scop and #pragma endscop"}
}
