package codegen

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/depend"
)

// mostHanding is the number of threads for which there are places to say how far they are, each in a cache line of its own. More of them have nothing to do.
const mostHanding = 256

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
	blocks := loopir.Operation(isl.OpAdd, loopir.Operation(isl.OpSub, r.high, r.low), loopir.Int(1))
	number := loopir.Operation(isl.OpMin, loopir.Named("omp_get_num_threads()"), loopir.Operation(isl.OpMax, loopir.Int(1), loopir.Operation(isl.OpMin, loopir.Int(mostHanding), loopir.Named(fmt.Sprintf("%s / %d", w.blocks, max(1, r.mark.From/2))))))
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
		enclose(fmt.Sprintf("if (%s < %s)", w.thread, w.threads), chunk{lines: append(w.shares(n), w.loop(n, printed)...)}))
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
		return n.expression(loopir.Operation(isl.OpAdd, w.low, loopir.Named(fmt.Sprintf(format, w.blocks, w.thread, w.threads)))).code
	}
	return []line{
		constantOf(w.from, "%s", behind("%s * %s / %s")),
		constantOf(w.to, "%s", behind("%s * (%s + 1) / %s - 1")),
		constantOf(w.begin, "%s > 0 ? %d * %s : -__LONG_MAX__", w.thread, w.mark.Size, w.from),
		constantOf(w.end, "%s + 1 < %s ? %d * %s + %d : __LONG_MAX__", w.thread, w.threads, w.mark.Size, w.to, w.mark.Size-1),
	}
}

// loop is the loop through which the threads run.
func (w *handing) loop(n *nodes, printed legs[fragment]) []line {
	variable, place := w.header.variable, func(of string) string { return w.done + "[" + of + "][0]" }
	number := fmt.Sprintf("%s - %s + 1", variable, w.start)
	var between []line
	if len(printed[depend.BetweenLegs].code) > 0 {
		between = enclose(fmt.Sprintf("if (%s + 1 == %s)", w.thread, w.threads), n.inBraces(printed[depend.BetweenLegs].code))
	}
	first := slices.Concat(
		[]line{
			constantOf(variable, "%s", w.step),
			{0, fmt.Sprintf("if (%s > 0)", w.thread)},
			{1, fmt.Sprintf("%s(%s, %s)", w.await, place(w.thread+" - 1"), number)},
		},
		n.lines(printed[depend.FirstLeg].code),
		between,
		[]line{{0, fmt.Sprintf("__atomic_store_n(&%s, %s, __ATOMIC_RELEASE);", place(w.thread), number)}})
	second := slices.Concat(
		[]line{
			constantOf(variable, "%s - %s + 1", w.step, w.threads),
			{0, fmt.Sprintf("%s(%s, %s)", w.await, place(w.threads+" - 1"), number)},
		},
		n.lines(printed[depend.SecondLeg].code))
	steps := slices.Concat(
		enclose(fmt.Sprintf("if (%s <= %s)", w.step, w.stop), chunk{lines: first}),
		enclose(fmt.Sprintf("if (%s - %s + 1 >= %s)", w.step, w.threads, w.start), chunk{lines: second}))
	return enclose(fmt.Sprintf("for (long %[1]s = %[2]s; %[1]s < %[3]s + %[4]s; %[1]s++)", w.step, w.start, w.stop, w.threads), chunk{lines: steps})
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
