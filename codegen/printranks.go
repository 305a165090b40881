package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
)

// The names of the code on ranks, in which each rank tells another one elements.
const (
	rankName, ranksName, runtimeName = "tune_rank", "tune_ranks", "tune_messages"
	withName, placeName, bytesName   = "tune_with", "tune_place", "tune_bytes"
)

// ranksPrinter prints the code that is of ranks alone.
type ranksPrinter struct{ *printer }

// onRanks prints code that each rank runs: what it knows of the ranks stands in front.
func (p ranksPrinter) onRanks(s *loopir.OnRanks) []line {
	runtime := p.runtime
	lines := []line{
		{0, fmt.Sprintf("extern void *%s_open(int, int *, int *);", runtime)},
		{0, fmt.Sprintf("extern void %s_empty(void *, int, int), %[1]s_piece(void *, int, int, int, void *, long), %[1]s_begin(void *, int), %[1]s_send(void *, int, int), %[1]s_wait(void *, int), %[1]s_close(void *);", runtime)},
		{0, fmt.Sprintf("extern char *%s_out(void *, int, int), *%[1]s_in(void *, int, int);", runtime)},
		{0, fmt.Sprintf("int %s, %s;", rankName, ranksName)},
		{0, fmt.Sprintf("void *const %s = %s_open(%d, &%s, &%s);", runtimeName, runtime, s.Exchanges, rankName, ranksName)},
	}
	if s.Meets {
		lines = append(lines, line{0, fmt.Sprintf("extern void %s_meet(void);", runtime)})
	}
	lines = append(append(lines, p.declareSums(s.Sums)...), p.grids(s.Groups)...)
	for k, g := range s.Groups {
		for d, rows := range g {
			low, high := p.expression(rows.Low).asLong().within(additive), p.expression(rows.High).asLong().within(additive)
			lines = append(lines, line{0, fmt.Sprintf("const long tune_low%s = %s, tune_rows%[1]s = %[3]s < tune_low%[1]s ? 0 : %[3]s - tune_low%[1]s + 1;", rankDimension(k, d), low, high)})
		}
		if shortest := g[0].Shortest; shortest != "" {
			lines = append(lines, line{0, fmt.Sprintf("const long %s = tune_rows%d / %s;", shortest, k, ranksName)})
		}
		lines = append(lines, blockOf(k, g, rankName, func(r loopir.RankRows) [2]string { return r.Own })...)
	}
	for _, b := range s.Blocks {
		lines = append(lines, p.localBlock(b, s.Tells)...)
	}
	lines = append(lines, p.lines(s.Body)...)
	return append(lines, line{0, runtime + "_close(" + runtimeName + ");"})
}

// BlockName is the name of an argument that is a rank's block of an array; FirstRow and Rows are those
// of what tells its first row and how many it has.
func BlockName(argument string) string { return argument + "_block" }

// FirstRow is a name, see BlockName.
func FirstRow(argument string) string { return argument + "_first" }

// Rows is a name, see BlockName.
func Rows(argument string) string { return argument + "_rows" }

// localBlock tells which rows a rank has of an array, or declares the whole array where its rows would
// begin: the address is that of no memory if the rank has not the first one.
func (p ranksPrinter) localBlock(b loopir.LocalBlock, tells bool) []line {
	low, high := p.expression(b.Low).asLong().within(additive), p.expression(b.High).asLong().within(additive)
	name := b.Argument.Name
	if tells {
		used := p.expression(b.Used).within(unary)
		return []line{
			{0, fmt.Sprintf("*%s = %s ? %s : 0;", FirstRow(name), used, low)},
			{0, fmt.Sprintf("*%s = %s ? %s - %s + 1 : 0;", Rows(name), used, high, low)},
		}
	}
	element := b.Argument.Type
	if b.Argument.Const {
		element = "const " + element
	}
	rows := b.Argument.Extents[1:]
	return []line{{0, fmt.Sprintf("%s = (%s) ((__UINTPTR_TYPE__) %s - (__UINTPTR_TYPE__) (%s) * sizeof *%[3]s);", pointerTo(element, "const "+name, rows), pointerTo(element, "", rows), BlockName(name), low)}}
}

// rankDimension numbers the dimensions of groups in names.
func rankDimension(group, d int) string {
	if d == 0 {
		return fmt.Sprint(group)
	}
	return fmt.Sprint(group, "_", d)
}

// gridName is the name of the shapes of grids with so many dimensions.
func gridName(dims int) string { return fmt.Sprint("tune_grid", dims) }

// grids declares the shapes of the grids of ranks.
func (p ranksPrinter) grids(groups []loopir.RankGroup) (lines []line) {
	declared := map[int]bool{1: true}
	for _, g := range groups {
		if dims := len(g); !declared[dims] {
			declared[dims] = true
			lines = append(lines,
				line{0, fmt.Sprintf("extern void %s_grid(int, int, int *);", p.runtime)},
				line{0, fmt.Sprintf("int %s[%d];", gridName(dims), dims)},
				line{0, fmt.Sprintf("%s_grid(%s, %d, %s);", p.runtime, ranksName, dims, gridName(dims))})
		}
	}
	return lines
}

// blockOf declares the first and the last rows of a rank's block, by names.
func blockOf(group int, g loopir.RankGroup, rank string, names func(loopir.RankRows) [2]string) (lines []line) {
	for d := range g {
		own, at, parts := names(g[d]), rank, ranksName
		if len(g) > 1 {
			at, parts = placeIn(rank, len(g), d), fmt.Sprintf("%s[%d]", gridName(len(g)), d)
		}
		lines = append(lines,
			line{0, fmt.Sprintf("const long %s = tune_low%s + tune_rows%[2]s * %s / %s, %s = tune_low%[2]s + tune_rows%[2]s * (%[3]s + 1) / %[4]s - 1;", own[0], rankDimension(group, d), at, parts, own[1])},
			line{0, fmt.Sprintf("(void) %s, (void) %s;", own[0], own[1])})
	}
	return lines
}

// placeIn is where a rank is in a dimension of a grid, the last of which runs fastest.
func placeIn(rank string, dims, d int) string {
	text := rank
	for k := dims - 1; k > d; k-- {
		text += fmt.Sprintf(" / %s[%d]", gridName(dims), k)
	}
	if d > 0 {
		text += fmt.Sprintf(" %% %s[%d]", gridName(dims), d)
	}
	return "(" + text + ")"
}

// exchange prints an exchange.
func (p ranksPrinter) exchange(s *loopir.Exchange) []line {
	call := func(function, more string) string {
		return fmt.Sprintf("%s_%s(%s, %d%s)", p.runtime, function, runtimeName, s.Number, more)
	}
	lines := p.times(s.Times, s.At)
	place := func(function string) line {
		return line{0, fmt.Sprintf("char *%s = %s;", placeName, call(function, ", "+withName))}
	}
	unless := line{0, "if (!" + placeName + ")"}
	if s.Part != loopir.EndExchange {
		pieces := []line{
			{0, fmt.Sprintf("if (%s == %s)", withName, rankName)},
			{1, "continue;"},
			{0, call("empty", ", "+withName) + ";"},
		}
		get, put := p.tells(s, withName, rankName, getPiece), p.tells(s, rankName, withName, putPiece)
		if s.ToRoot {
			get, put = enclose("if ("+rankName+" == 0)", chunk{lines: get}), enclose("if ("+withName+" == 0)", chunk{lines: put})
		}
		lines = append(lines, eachRank(slices.Concat(pieces, get, put))...)
		lines = append(lines, line{0, call("begin", "") + ";"})
		lines = append(lines, eachRank(slices.Concat([]line{place("out"), unless, {1, "continue;"}}, p.tells(s, rankName, withName, packPieces), []line{{0, call("send", ", "+withName) + ";"}}))...)
	}
	if s.Part != loopir.StartExchange {
		lines = append(lines, line{0, call("wait", "") + ";"})
		lines = append(lines, eachRank(slices.Concat([]line{place("in"), unless, {1, "continue;"}}, p.tells(s, withName, rankName, unpackPieces)))...)
	}
	return append([]line{{0, "/* " + strings.ReplaceAll(s.What, "*/", "* /") + " */"}}, braces(lines)...)
}

// eachRank is a loop over all ranks.
func eachRank(body []line) []line {
	return enclose(fmt.Sprintf("for (int %s = 0; %[1]s < %s; %[1]s++)", withName, ranksName), chunk{lines: body})
}

// What is done with pieces of memory: the runtime learns of those of another rank and of the own ones,
// and packs nothing where a message is of one piece, or of pieces at equal distances; other pieces are
// brought to a place, and from there.
const (
	getPiece     = "get"
	putPiece     = "put"
	packPieces   = "out"
	unpackPieces = "in"
	// countBytes adds up how long they are, and clearPiece gives them a number.
	countBytes = "bytes"
	clearPiece = "clear"
)

// tells prints what is done with the elements that one rank tells another one.
func (p ranksPrinter) tells(s *loopir.Exchange, from, to, what string) []line {
	var lines []line
	for k, g := range s.Of {
		lines = append(lines, blockOf(k, g, from, func(r loopir.RankRows) [2]string { return r.From })...)
		lines = append(lines, blockOf(k, g, to, func(r loopir.RankRows) [2]string { return r.To })...)
	}
	for _, a := range s.Arrays {
		lines = append(lines, told{p, what, fmt.Sprint(s.Number)}.over(a.Loops)...)
	}
	return braces(lines)
}

// told prints what is done with elements: of an exchange, or those that get a number.
type told struct {
	ranksPrinter
	what string
	// number is that of the exchange, or the one that elements get.
	number string
}

// over prints loops over elements.
func (p told) over(code loopir.Code) (lines []line) {
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.For:
			lines = append(lines, p.overLoop(s)...)
		case *loopir.If:
			header := enclose("if ("+p.expression(s.Cond).code+")", chunk{lines: p.over(s.Then)})
			if len(s.Else) > 0 {
				header = orElse(header, chunk{lines: p.over(s.Else)})
			}
			lines = append(lines, header...)
		case *loopir.Visit:
			lines = append(lines, p.visitOf(s, "1")...)
		}
	}
	return lines
}

// overLoop prints a loop over elements: those that lie behind each other are one piece.
func (p told) overLoop(s *loopir.For) []line {
	if s.Once {
		return braces(append([]line{constantOf(s.Var, "%s", p.expression(s.From).code)}, p.over(s.Body)...))
	}
	if visit := alongRow(s); visit != nil {
		end := p.expression(s.While.Args[1]).asLong().within(additive)
		first := constantOf(s.Var, "%s", p.expression(s.From).code)
		count := "tune_count"
		piece := p.visitOf(visit, count)
		body := []line{first, {0, fmt.Sprintf("const long %s = %s - %s + 1;", count, end, s.Var)}}
		if s.While.Is(isl.OpLt) {
			body[1].code = fmt.Sprintf("const long %s = %s - %s;", count, end, s.Var)
		}
		return braces(append(body, enclose("if ("+count+" > 0)", chunk{lines: piece})...))
	}
	return enclose(fmt.Sprintf("for (long %s = %s; %s; %s)", s.Var, p.expression(s.From).code, p.expression(s.While).code, p.increment(s.Var, s.Step)), chunk{lines: p.over(s.Body)})
}

// alongRow is what is done with the elements of a loop that lie behind each other, nil where they do
// not.
func alongRow(s *loopir.For) *loopir.Visit {
	visit, is := s.Body.Only().(*loopir.Visit)
	if !is || len(visit.At) == 0 || visit.Array.Path != "" && !strings.HasSuffix(visit.Array.Path, "]") {
		return nil
	}
	last := len(visit.At) - 1
	variables := map[string]bool{s.Var: true}
	isBound := (s.While.Is(isl.OpLe) || s.While.Is(isl.OpLt)) && s.While.Args[0].Name == s.Var && !loopir.Mentions(s.While.Args[1], variables)
	if !isBound || !s.Step.IsInt(1) || visit.At[last].Name != s.Var {
		return nil
	}
	if slices.ContainsFunc(visit.At[:last], func(e *loopir.Expr) bool { return loopir.Mentions(e, variables) }) {
		return nil
	}
	return visit
}

// visitOf prints what is done with so many elements from one on.
func (p told) visitOf(v *loopir.Visit, count string) []line {
	subscripts := make([]string, len(v.At))
	for k, at := range v.At {
		subscript := p.expression(at)
		if v.Array.Linear && k == v.Array.LinearAt { // rows times their length need not be an int
			subscript = subscript.asLong()
		}
		subscripts[k] = subscript.code
	}
	element := v.Array.Reference(subscripts)
	size := fmt.Sprintf("sizeof(%s)", element)
	if count != "1" {
		size = "(unsigned long) " + count + " * " + size
	}
	switch p.what {
	case packPieces:
		return []line{{0, fmt.Sprintf("__builtin_memcpy(%s, &%s, %s);", placeName, element, size)}, {0, fmt.Sprintf("%s += %s;", placeName, size)}}
	case countBytes:
		return []line{{0, fmt.Sprintf("%s += (long) (%s);", bytesName, size)}}
	case clearPiece:
		return settle(element, count, p.number)
	case unpackPieces:
		return []line{{0, fmt.Sprintf("__builtin_memcpy(&%s, %s, %s);", element, placeName, size)}, {0, fmt.Sprintf("%s += %s;", placeName, size)}}
	}
	isOwn := 0
	if p.what == putPiece {
		isOwn = 1
	}
	return []line{{0, fmt.Sprintf("%s_piece(%s, %s, %s, %d, (void *) &%s, (long) (%s));", p.runtime, runtimeName, p.number, withName, isOwn, element, size)}}
}

// agreementLines declare what agreed calls.
func agreementLines(runtime string) []string {
	if runtime == "" {
		return nil
	}
	return []string{fmt.Sprintf("extern int %s_all(int);", runtime)}
}

// agreed is a condition that all ranks have alike: where one has no memory none runs the code, because
// the others would wait for it. Sizes are the same on all.
func agreed(runtime, condition string) string {
	if runtime == "" {
		return condition
	}
	return fmt.Sprintf("%s_all(%s != 0)", runtime, condition)
}
