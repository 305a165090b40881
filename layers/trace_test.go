package layers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/codegen/mpi"
	"polytune/isl"
	"polytune/layers"
	"polytune/loopir"
	"polytune/pipeline"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/target/registry"
)

// traced are programs with recipes whose code is run beside Layer IV.
var traced = []struct{ source, recipe string }{
	{blur, "original\nparallel bx.i\n"},
	{blur, "original\ntile by.i by.j by 3 2 as i0 j0 i1 j1\ncompute bx at j0\nallocate bx at i0\nparallel i0\n"},
	{blur, "original\nparallel bx.j\ntile by.i by.j by 2 4 as i0 j0 i1 j1\ncopy bx at j0\ncopy by at i0\n"},
	{jacobi, "original\nparallel S0.i\nreverse S1.i\n"},
	{blur, "original\nranks bx.i by.i\nparallel bx.i\n"},
	{jacobi, "original\nranks S0.i S1.i\nparallel S1.i\n"},
	{blur, "original\nranks bx.i by.i\ncopy bx at by.i\ncopy bx at bx.i\n"},
	{jacobi, "original\nranks S0.i S1.i\nbarrier S0.t\n"},
	{shrinking, "original\nbarrier S0.t\nranks S0.i\n"},
	{jacobi, "original\ntile S0.t by 2 as tt tp\nranks S0.i S1.i\nghost tt\n"},
	{summed, "reassociate\noriginal\nranks S0.i S1.i reduction(+:y)\n"},
}

// shrinking has iterations in which some ranks do nothing.
const shrinking = `void shrinking(int n, double x[n])
{
#pragma scop
	for (int t = 0; t < n; t++)
		for (int i = t; i < n; i++)
			x[i] = x[i] + t;
#pragma endscop
}
`

const summed = `void summed(int n, double x[n], double y[1])
{
#pragma scop
	for (int t = 0; t < n; t++) {
		for (int i = 0; i < n; i++)
			x[i] = x[i] + y[0];
		for (int i = 0; i < n; i++)
			y[0] += x[n - 1 - i];
	}
#pragma endscop
}
`

// ranksTraced is the number of ranks that run programs for ranks, tracedSize what is known of sizes.
const (
	ranksTraced = 3
	tracedSize  = 7
)

// TestTrace runs the code of schedules without a compiler, and compares what it does, in its order,
// with Layer IV: instances, barriers, memory that is made and freed, copies, and what ranks send each
// other.
func TestTrace(t *testing.T) {
	t.Parallel()
	for _, test := range traced {
		c := isl.NewContext()
		p := tracedProgram(t, c, test.source, test.recipe)
		for rank := range p.ranks {
			want, got := p.expected(t, int64(rank)), p.noted(int64(rank))
			at := 0
			for at < min(len(want), len(got)) && want[at] == got[at] {
				at++
			}
			if at < max(len(want), len(got)) {
				t.Errorf("%srank %d: the code does %d things, Layer IV has %d; the first that differs is number %d:\n%s\nand\n%s", test.recipe, rank, len(got), len(want), at,
					strings.Join(got[at:min(at+3, len(got))], "\n"), strings.Join(want[at:min(at+3, len(want))], "\n"))
			}
		}
		c.Close()
	}
}

// tracedRun is a program with what its code does and Layer IV.
type tracedRun struct {
	model *scop.Model
	four  *layers.Communication
	notes []loopir.Note
	ranks int
	// blocks are the first and the last rows of each rank.
	blocks [][2]int64
}

func tracedProgram(t *testing.T, c *isl.Context, source, recipe string) *tracedRun {
	t.Helper()
	options, p := &pipeline.Options{}, &tracedRun{ranks: 1}
	isOnRanks := strings.Contains(recipe, "ranks ")
	if isOnRanks {
		p.ranks = ranksTraced
		var err error
		if options.On, err = registry.Find("mpi"); err != nil {
			t.Fatal(err)
		}
	}
	targets, err := options.Regions(&pipeline.Target{Name: "test"}, "test.c", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	at, commands, err := targets[0].ReadRecipe(recipe)
	if err != nil {
		t.Fatal(err)
	}
	m, err := at.Unit.Program.Model(c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := depend.Analyze(m)
	if err != nil {
		t.Fatal(err)
	}
	var program *loopir.Program
	if isOnRanks {
		program, p.model, err = mpi.Lower(g, commands, at.Unit, mpi.Options{})
	} else {
		proven, made, o, failed := codegen.Prove(g, commands, at.Unit)
		if failed != nil {
			t.Fatal(failed)
		}
		p.model = proven
		program, err = codegen.Lower(proven, made, o, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	tree, err := commands.Replay(at.Unit.Program)
	if err != nil {
		t.Fatal(err)
	}
	if p.four, err = layers.CommunicationOf(p.model, tree); err != nil {
		t.Fatal(err)
	}
	values := map[string]int64{}
	for _, name := range p.model.Program.Parameters {
		values[name] = tracedSize
	}
	machine, err := loopir.NewMachine(p.model, values)
	if err != nil {
		t.Fatal(err)
	}
	machine.Notes = func(n loopir.Note) { p.notes = append(p.notes, n) }
	if isOnRanks {
		_, _, err = machine.RunOnRanks(program.Code, p.ranks)
	} else {
		_, err = machine.Run(program.Code)
	}
	if err != nil {
		t.Fatalf("%s%v\n%s", recipe, err, program)
	}
	return p
}

// event is something that happens at a time: in front of what has the same values in the same
// dimensions, or behind it.
type event struct {
	time  []int64
	place int
	text  string
	// turn is 1 for what is sent and 2 for what is received, of messages at one time.
	turn int
}

// The places of events among those whose times begin alike.
const (
	inFront = -1
	within  = 0
	behind  = 1
)

func (e event) compare(o event) int {
	common := min(len(e.time), len(o.time))
	if c := slices.Compare(e.time[:common], o.time[:common]); c != 0 {
		return c
	}
	switch {
	case len(e.time) < len(o.time):
		return e.place
	case len(e.time) > len(o.time):
		return -o.place
	}
	if c := e.place - o.place; c != 0 {
		return c
	}
	return e.turn - o.turn
}

// noted is what the code of a rank does; what a message has is in no order.
func (p *tracedRun) noted(rank int64) (list []string) {
	made := map[string]bool{}
	for _, o := range p.four.Operations {
		made[o.Of] = made[o.Of] || o.Kind == "allocate"
	}
	for _, n := range p.notes {
		if n.Rank != rank {
			continue
		}
		switch n.Kind {
		case "run":
			list = append(list, fmt.Sprint("run ", p.model.Statement(n.Of).Spelling(), n.At))
		case "send", "receive":
			list = append(list, fmt.Sprint(n.Kind, " ", n.Of, n.Element, " ", n.With))
		case "allocate", "free":
			if made[n.Of] {
				list = append(list, n.Kind+" "+n.Of)
			}
		case "back": // of one element after the other
			if text := "back " + n.Of; len(list) == 0 || list[len(list)-1] != text {
				list = append(list, text)
			}
		default:
			list = append(list, strings.TrimSpace(n.Kind+" "+n.Of))
		}
	}
	return sortedMessages(list)
}

// sortedMessages has elements that are sent, or received, one behind the other in order.
func sortedMessages(list []string) []string {
	kind := func(text string) string {
		word, _, _ := strings.Cut(text, " ")
		if word == "send" || word == "receive" {
			return word
		}
		return ""
	}
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && kind(list[to]) == kind(list[from]) && kind(list[from]) != "" {
			to++
		}
		if kind(list[from]) != "" {
			slices.Sort(list[from:to])
		}
		from = to
	}
	return list
}

// expected is what Layer IV has of a rank.
func (p *tracedRun) expected(t *testing.T, rank int64) []string {
	t.Helper()
	events := p.instances(t, rank)
	own := slices.Clone(events)
	for _, o := range p.four.Operations {
		var some []event
		switch {
		case o.Kind == "again":
		case o.Kind == "send" || o.Kind == "receive":
			some = p.messages(t, o, rank)
		default:
			some = p.operations(t, o, own)
		}
		if o.Behind { // what is outside ends last
			events = append(some, events...)
		} else {
			events = append(events, some...)
		}
	}
	slices.SortStableFunc(events, event.compare)
	var list []string
	for _, e := range events {
		list = append(list, e.text)
	}
	return sortedMessages(list)
}

// fixed are the points of a set at the sizes that are run.
func (p *tracedRun) fixed(t *testing.T, set *isl.Set, more ...string) [][]int64 {
	t.Helper()
	for _, name := range p.model.Program.Parameters {
		more = append(more, fmt.Sprintf("[%s] -> { : %[1]s = %d }", name, tracedSize))
	}
	for _, text := range more {
		set = set.IntersectParams(p.model.Context.ReadSet(text))
	}
	points, err := set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam)).Points(10000)
	if err != nil {
		t.Fatal(err)
	}
	return points
}

// instances are those of a rank: of its rows, where ranks share some.
func (p *tracedRun) instances(t *testing.T, rank int64) (events []event) {
	t.Helper()
	type row struct {
		event
		value  int64
		shared bool
	}
	var rows []row
	low, high := int64(1)<<40, int64(-1)
	for _, s := range p.four.Computations {
		relation := p.model.Context.ReadMap(s.Relation)
		depth := relation.Dim(isl.DimIn)
		node := -1
		for _, tag := range s.Tags {
			for d := range relation.Dim(isl.DimOut) {
				if tag.Text == "node" && dimensionName(s.Relation, d) == tag.Loop {
					node = d
				}
			}
		}
		for _, x := range p.fixed(t, relation.Wrap()) {
			one := row{event: event{x[depth:], within, fmt.Sprint("run ", s.Name, x[:depth]), 0}}
			if node >= 0 {
				one.value, one.shared = x[depth+node], true
				low, high = min(low, one.value), max(high, one.value)
			}
			rows = append(rows, one)
		}
	}
	total := high - low + 1
	p.blocks = nil
	for r := range int64(p.ranks) {
		p.blocks = append(p.blocks, [2]int64{low + total*r/int64(p.ranks), low + total*(r+1)/int64(p.ranks) - 1})
	}
	again := p.again(t, rank)
	for _, one := range rows {
		if block := p.blocks[rank]; !one.shared || block[0] <= one.value && one.value <= block[1] || again[one.text] {
			events = append(events, one.event)
		}
	}
	return events
}

// again are the instances of others that a rank computes, too.
func (p *tracedRun) again(t *testing.T, rank int64) map[string]bool {
	t.Helper()
	some := map[string]bool{}
	own := fmt.Sprintf("[tune_first, tune_last] -> { : tune_first = %d and tune_last = %d }", p.blocks[rank][0], p.blocks[rank][1])
	for _, o := range p.four.Operations {
		if o.Kind == "again" {
			for _, x := range p.fixed(t, p.model.Context.ReadSet(o.Text), own) {
				some[fmt.Sprint("run ", o.Of, x)] = true
			}
		}
	}
	return some
}

// dimensionName is the name of a dimension of time in the text of a relation.
func dimensionName(relation string, d int) string {
	_, rest, _ := strings.Cut(relation, "-> { ")
	_, rest, _ = strings.Cut(rest, "-> ")
	_, rest, _ = strings.Cut(rest, "[")
	rest, _, _ = strings.Cut(rest, "]")
	name, _, _ := strings.Cut(strings.Split(rest, ", ")[d], " ")
	return name
}

// operations are done at times at which the rank has instances.
func (p *tracedRun) operations(t *testing.T, o layers.Operation, own []event) (events []event) {
	t.Helper()
	text := strings.TrimSpace(o.Kind + " " + o.Of)
	if o.Kind == "copy" && o.Behind {
		text = "back " + o.Of
	}
	for _, time := range p.fixed(t, p.model.Context.ReadSet(o.Times)) {
		has := slices.ContainsFunc(own, func(e event) bool { return len(e.time) >= len(time) && slices.Equal(e.time[:len(time)], time) })
		isOutside := len(time) == 0 && o.Kind != "barrier" // memory of the whole region
		if isOfAll := o.Text == "of all ranks"; isOutside || !has && !isOfAll {
			continue
		}
		events = append(events, event{time, placeOf(o), text, 0})
	}
	return events
}

func placeOf(o layers.Operation) int {
	if o.Behind {
		return behind
	}
	return inFront
}

// messages are those that the rank sends, or gets.
func (p *tracedRun) messages(t *testing.T, o layers.Operation, rank int64) (events []event) {
	t.Helper()
	length := p.model.Context.ReadSet(o.Times).Dim(isl.DimSet)
	told := p.model.Context.ReadMap(o.Text)
	times, turn := told.Dim(isl.DimIn), 1
	if o.Kind == "receive" {
		turn = 2
	}
	for other := range int64(p.ranks) {
		from, to := rank, other
		if o.Kind == "receive" {
			from, to = other, rank
		}
		if from == to {
			continue
		}
		block := func(whose string, of int64) string {
			return fmt.Sprintf("[tune_%s_first, tune_%[1]s_last] -> { : tune_%[1]s_first = %[2]d and tune_%[1]s_last = %[3]d }", whose, p.blocks[of][0], p.blocks[of][1])
		}
		for _, x := range p.fixed(t, told.Wrap(), block("from", from), block("to", to)) {
			element := strings.ReplaceAll(fmt.Sprint(x[times:]), ",", "")
			events = append(events, event{x[1:min(1+length, times)], placeOf(o), fmt.Sprint(o.Kind, " ", o.Of, element, " ", other), turn})
		}
	}
	return events
}
