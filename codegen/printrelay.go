package codegen

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// mostHanding is the number of threads for which there are places to say how far they are, each in
// a cache line of its own. More of them have nothing to do.
const mostHanding = 256

// relayBlocks is the number of blocks of a relay.
func (p *printer) relayBlocks(s *loopir.Relay) string {
	return p.expression(loopir.Operation(isl.OpAdd, loopir.Operation(isl.OpSub, s.High, s.Low), loopir.Int(1))).code
}

// relayThreads is the number of threads of a relay.
func relayThreads(s *loopir.Relay) *loopir.Expr {
	share := loopir.Named(fmt.Sprintf("%s / %d", s.Names.Blocks, s.Least))
	atMost := loopir.Operation(isl.OpMax, loopir.Int(1), loopir.Operation(isl.OpMin, loopir.Int(mostHanding), share))
	return loopir.Operation(isl.OpMin, loopir.Named("omp_get_num_threads()"), atMost)
}

// relay prints a loop through which threads run as in a relay. Each thread has a place where it
// says how many first legs it has ended.
func (p *printer) relay(s *loopir.Relay) []line {
	w := s.Names
	team := slices.Concat(
		[]line{
			{0, "#ifdef _OPENMP"},
			{0, "extern int omp_get_thread_num(void), omp_get_num_threads(void);"},
			constantOf(w.Thread, "omp_get_thread_num()"),
			constantOf(s.Threads, "%s", p.expression(relayThreads(s)).code),
			{0, "#else"},
			constantOf(w.Thread, "0"),
			constantOf(s.Threads, "1"),
			{0, "#endif"},
		},
		enclose(fmt.Sprintf("if (%s < %s)", w.Thread, s.Threads), chunk{lines: append(p.relayShares(s), p.relayLoop(s)...)}))
	return braces(slices.Concat(
		[]line{
			constantOf(w.Start, "%s", p.expression(s.From).code),
			constantOf(w.Stop, "%s", p.expression(s.To).code),
			constantOf(w.Blocks, "%s", p.relayBlocks(s)),
			{0, fmt.Sprintf("long %s[%d][8] __attribute__((aligned(%d))) = {{0}};", w.Done, mostHanding, cacheLine)},
			{0, "#pragma omp parallel"},
		},
		braces(team)))
}

// relayShares are the bounds of the thread's shares. Blocks are shared out evenly; what the first
// leg has in front of the first block and behind the last one is the first and the last thread's.
func (p *printer) relayShares(s *loopir.Relay) []line {
	w := s.Names
	behind := func(format string) string {
		return p.expression(loopir.Operation(isl.OpAdd, s.Low, loopir.Named(fmt.Sprintf(format, w.Blocks, w.Thread, s.Threads)))).code
	}
	return []line{
		constantOf(s.ShareFrom, "%s", behind("%s * %s / %s")),
		constantOf(s.ShareTo, "%s", behind("%s * (%s + 1) / %s - 1")),
		constantOf(s.Begin, "%s > 0 ? %d * %s : -__LONG_MAX__", w.Thread, s.Size, s.ShareFrom),
		constantOf(s.End, "%s + 1 < %s ? %d * %s + %d : __LONG_MAX__", w.Thread, s.Threads, s.Size, s.ShareTo, s.Size-1),
	}
}

// relayLoop is the loop through which the threads run.
func (p *printer) relayLoop(s *loopir.Relay) []line {
	w, await, place := s.Names, p.await(), func(of string) string { return s.Names.Done + "[" + of + "][0]" }
	number := fmt.Sprintf("%s - %s + 1", s.Var, w.Start)
	var between []line
	if len(s.Between) > 0 {
		between = enclose(fmt.Sprintf("if (%s + 1 == %s)", w.Thread, s.Threads), p.inBraces(s.Between))
	}
	first := slices.Concat(
		[]line{
			constantOf(s.Var, "%s", w.Step),
			{0, fmt.Sprintf("if (%s > 0)", w.Thread)},
			{1, fmt.Sprintf("%s(%s, %s)", await, place(w.Thread+" - 1"), number)},
		},
		p.lines(s.First),
		between,
		[]line{{0, fmt.Sprintf("__atomic_store_n(&%s, %s, __ATOMIC_RELEASE);", place(w.Thread), number)}})
	second := slices.Concat(
		[]line{
			constantOf(s.Var, "%s - %s + 1", w.Step, s.Threads),
			{0, fmt.Sprintf("%s(%s, %s)", await, place(s.Threads+" - 1"), number)},
		},
		p.lines(s.Second))
	steps := slices.Concat(
		enclose(fmt.Sprintf("if (%s <= %s)", w.Step, w.Stop), chunk{lines: first}),
		enclose(fmt.Sprintf("if (%s - %s + 1 >= %s)", w.Step, s.Threads, w.Start), chunk{lines: second}))
	return enclose(fmt.Sprintf("for (long %[1]s = %[2]s; %[1]s < %[3]s + %[4]s; %[1]s++)", w.Step, w.Start, w.Stop, s.Threads), chunk{lines: steps})
}

// constantOf declares a constant number.
func constantOf(name, format string, values ...any) line {
	return line{0, "const long " + name + " = " + fmt.Sprintf(format, values...) + ";"}
}
