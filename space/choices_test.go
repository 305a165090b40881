package space

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// firstOf are the first partitions of a space.
func firstOf(t *testing.T, s *Space, limit int) iter.Seq[Partition] {
	t.Helper()
	return func(yield func(Partition) bool) {
		count := 0
		for p, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			if count++; count > limit || !yield(p) {
				return
			}
		}
	}
}

// checkLegalRows makes sure, by isl and without Farkas' lemma, that rows are none of
// them zero where there are loops, and run no dependence of the class backwards.
func checkLegalRows(t *testing.T, graph *depend.Graph, name string, class []int, rows Rows) {
	t.Helper()
	if len(rows) != len(class) {
		t.Errorf("%s: %d rows for %v", name, len(rows), class)
		return
	}
	for _, s := range class {
		if len(rows[s].Iterators) > 0 && rows[s].IsConstant() {
			t.Errorf("%s: the row of S%d of %v is constant", name, s, class)
		}
	}
	for _, d := range graph.Pairs() {
		if !slices.Contains(class, d.Source) || !slices.Contains(class, d.Target) {
			continue
		}
		backwards := d.Where(graph.Time(d.Source, rows[d.Source]), ">", graph.Time(d.Target, rows[d.Target]))
		if none, err := backwards.IsEmpty(); err != nil || !none {
			t.Errorf("%s: rows %v run a dependence of S%d on S%d backwards: %s (%v)",
				name, textsOf(graph.Model.Program, rows), d.Target, d.Source, d.Relation, err)
		}
	}
}

// The order of choices, and their shifts.
func TestChoices(t *testing.T) {
	for _, test := range []struct {
		name  string
		nests []loopNest
		peel  int
		want  []string
	}{
		{"either loop", []loopNest{"0 0 0 ; i j ; 0<=i,j<N ; w:A[i,j]", "1 0 0 ; i j ; 0<=i,j<N ; w:B[i,j] r:A[i,j]"}, 1,
			[]string{"[i i]", "[i i + j]", "[j j]", "[j i + j]", "[i + j i + j]"}},
		{"shifts", []loopNest{"0 0 0 ; i j ; 0<=i,j<N ; w:A[i,j]", "1 0 0 ; i j ; 0<=i,j<N ; w:B[i,j] r:A[i+1,j]"}, 2,
			[]string{"[i i + 1]", "[i i + j + 1]", "[j j]", "[j i + j]", "[i + j i + j + 1]"}},
		{"shifts that are too large", []loopNest{"0 0 0 ; i j ; 0<=i,j<N ; w:A[i,j]", "1 0 0 ; i j ; 0<=i,j<N ; w:B[i,j] r:A[i+2,j]"}, 2,
			[]string{"[j j]", "[j i + j]"}},
		{"none", []loopNest{"0 0 ; i ; 0<=i<N ; u:s[]", "1 0 ; i ; 0<=i<N ; u:A[i] r:s[]"}, 2, nil},
	} {
		graph := dependencesOf(t, test.nests)
		var got []string
		for rows, err := range groupTestOf(t, graph, Options{MaxPeel: test.peel}).choices([]int{0, 1}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(textsOf(graph.Model.Program, rows)))
			checkLegalRows(t, graph, test.name, []int{0, 1}, rows)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// A listing that would go on for too long says so.
func TestTooManyChoices(t *testing.T) {
	var nests []loopNest
	for k := range 10 {
		nests = append(nests, loopNest(fmt.Sprintf("%d 0 0 ; i j ; 0<=i,j<N ; w:A%d[i,j]", k, k)))
	}
	g := groupTestOf(t, dependencesOf(t, nests), Options{MaxPeel: 2})
	class, count := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0
	var last error
	for _, err := range g.choices(class) {
		last = err
		count++
	}
	if count < 1000 || !errors.Is(last, errChoices) {
		t.Errorf("%d choices, then error %v", count, last)
	}
}

// The choices of pairs and triples of random programs are those that brute
// force over executions finds, nearly always with the same shifts: those that
// Farkas' lemma finds are greater where rational points of a dependence need it.
func TestChoicesAgainstInstances(t *testing.T) {
	t.Parallel()
	var choices, refused, later int
	for seed := range longer(90, 3000) {
		p := randomSmallProgram(rand.New(rand.NewPCG(uint64(seed), 5)))
		ctx := isl.NewContext()
		q := p.program(fmt.Sprint("seed ", seed))
		g := groupTestOf(t, kerneltest.AnalyzeIn(t, ctx, q), Options{MaxPeel: 3})
		o := choiceOracle(p, 2)
		for _, class := range pairsAndTriples(len(q.Statements)) {
			want := choicesByForce(o, class, nil)
			found := 0
			for rows, err := range g.choices(class) {
				if err != nil {
					t.Fatal(err)
				}
				choices++
				if slices.Contains(want, textOfChoice(g.model, class, rows)) {
					found++
					continue
				}
				later++
				if !o.allows(g.model, class, rows) && !choiceOracle(p, 3).allows(g.model, class, rows) {
					t.Errorf("%s: %v has the choice %s, which executions do not allow\n%s", q.Name, class, textOfChoice(g.model, class, rows), q)
				}
			}
			refused += len(want) - found
		}
		ctx.Close()
	}
	t.Logf("%d choices, %d of them with greater shifts than by brute force, which has %d others", choices, later, refused)
	if choices < longer(600, 1000) || refused > choices/20 || later > choices/20 {
		t.Errorf("%d choices, %d of them with greater shifts than by brute force, which has %d others", choices, later, refused)
	}
}

// choiceOracle tries rows with coefficients 0 and 1 on the executions of some
// groups of sizes. Some loops meet at the larger sizes only.
func choiceOracle(p *smallProgram, groups int) *instanceOracle {
	l := &lags{}
	for s := range p.statements {
		l.rows = append(l.rows, smallRows(len(p.statements[s].loops), 1))
	}
	l.makeTables()
	for _, size := range slices.Concat(sizeGroups(p.depth())[:groups]...) {
		l.add(p.execute(size))
	}
	return newInstanceOracle(l, 3)
}

// textOfChoice has the rows of a choice over times, and its shifts.
func textOfChoice(m *scop.Model, class []int, choice Rows) (text string) {
	for _, s := range class {
		coefficients, shift := inTimes(&m.Statements[s], choice[s])
		text += fmt.Sprint(coefficients, shift, " ")
	}
	return text
}

// allows says whether all executions allow a choice with its shifts, be they
// the least or not.
func (o *instanceOracle) allows(m *scop.Model, class []int, choice Rows) bool {
	rows, shifts := make([]int, len(m.Statements)), make([]int64, len(m.Statements))
	for _, s := range class {
		var times []int64
		times, shifts[s] = inTimes(&m.Statements[s], choice[s])
		rows[s] = slices.IndexFunc(o.rows[s], func(row []int64) bool { return slices.Equal(row, times) })
	}
	for _, r := range class {
		for _, s := range class {
			shift := shifts[s] - shifts[r]
			if rows[r] < 0 || rows[s] < 0 || shift >= o.peel || o.lag[r][s][rows[r]][rows[s]] > shift {
				return false
			}
		}
	}
	return true
}

// choicesByForce tries all rows and gives them the least shifts.
func choicesByForce(o *instanceOracle, class, chosen []int) []string {
	if len(chosen) == len(class) {
		shifts, ok := o.leastShifts(class, chosen)
		if !ok {
			return nil
		}
		text := ""
		for i, s := range class {
			text += fmt.Sprint(o.rows[s][chosen[i]], shifts[i], " ")
		}
		return []string{text}
	}
	var list []string
	s := class[len(chosen)]
	for row := range o.rows[s] {
		if o.least[s][s][row][row] <= 0 {
			list = append(list, choicesByForce(o, class, append(slices.Clone(chosen), row))...)
		}
	}
	return list
}

// leastShifts raises the shifts from 0 until all lags are kept.
func (o *instanceOracle) leastShifts(class, rows []int) ([]int64, bool) {
	shifts := make([]int64, len(class))
	for changed := true; changed; {
		changed = false
		for i, r := range class {
			for j, s := range class {
				if least := shifts[i] + o.lag[r][s][rows[i]][rows[j]]; i != j && least > shifts[j] {
					shifts[j], changed = least, true
					if least >= o.peel {
						return nil, false
					}
				}
			}
		}
	}
	return shifts, true
}

// agreement counts classes by who finds rows.
type agreement struct{ both, neither, programOnly int }

// compare asks the choices and the integer program about a class: the program
// has all choices among its solutions, but does not find all that meet.
func (a *agreement) compare(t *testing.T, graph *depend.Graph, g *groupTest, name string, class []int) {
	t.Helper()
	choice, err := g.choice(class)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	definition := *g
	if choice != nil {
		definition.meeting = nil
	}
	rows, err := definition.solve(class)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	switch {
	case choice != nil && rows == nil:
		t.Errorf("%s: %v has the choice %v, but the integer program has no solution", name, class, choice)
	case choice != nil:
		a.both++
		checkLegalRows(t, graph, name, class, choice)
		checkLegalRows(t, graph, name, class, rows)
	case rows == nil:
		a.neither++
	default:
		a.programOnly++
		checkLegalRows(t, graph, name, class, rows)
	}
}

// For all kernels, pairs of statements and the classes that the space asks
// about are fusible with coefficients 0 and 1 if they are at all. The short test
// leaves out the suite sc10, whose classes are those of others.
func TestChoicesOfKernels(t *testing.T) {
	t.Parallel()
	var a agreement
	for _, b := range kerneltest.Some() {
		ctx := isl.NewContext()
		graph := kerneltest.AnalyzeIn(t, ctx, programOf(t, b))
		g := groupTestOf(t, graph, Options{MaxPeel: 2})
		recorder := &recordingOracle{oracle: g}
		s, err := newSpace(graph.Model.Program.StatementNames(), graph.Reaches(), recorder, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range firstOf(t, s, 50) {
		}
		for j := range min(len(graph.Model.Statements), 8) {
			for i := range j {
				recorder.classes = append(recorder.classes, []int{i, j})
			}
		}
		for _, class := range recorder.classes {
			for _, part := range g.linkedParts(class) {
				if len(part) > 1 && len(part) < 10 && g.sourceLoop(part) == nil {
					a.compare(t, graph, g, b.Name, part)
				}
			}
		}
		ctx.Close()
	}
	t.Logf("%+v", a)
	if a.programOnly > 0 || a.both < longer(40, 50) || a.neither < longer(6, 20) {
		t.Errorf("%+v", a)
	}
}

// Where the smallest solution would take too long, any is found, or that there
// is none.
func TestAnySolution(t *testing.T) {
	for name, nests := range map[string][]loopNest{
		"2mm": twoProducts, "atax": transposedProduct,
		"strides":   {"0 0 ; i ; 0<=i<N ; w:A[2i]", "1 0 ; i ; 0<=i<N ; w:B[i] r:A[i]", "2 0 ; i ; 0<=i<N ; w:C[i] r:B[2i]"},
		"reduction": {"0 0 ; i ; 0<=i<N ; u:s[]", "1 0 ; i ; 0<=i<N ; u:A[i] r:s[]"},
	} {
		graph := dependencesOf(t, nests)
		for _, class := range pairsAndTriples(len(nests)) {
			var found [2]Rows
			for k, operations := range []uint64{minimumOperations, 1} {
				g := groupTestOf(t, graph, Options{MaxPeel: 2})
				g.operations = operations
				rows, err := g.solve(class)
				if err != nil {
					t.Fatal(err)
				}
				if rows != nil {
					checkLegalRows(t, graph, name, class, rows)
				}
				found[k] = rows
			}
			if (found[0] == nil) != (found[1] == nil) {
				t.Errorf("%s: %v has the smallest rows %v, any rows %v", name, class, found[0], found[1])
			}
		}
	}
}

// recordingOracle keeps the classes it is asked about.
type recordingOracle struct {
	oracle
	classes [][]int
}

func (r *recordingOracle) Fusible(class []int) (bool, error) {
	r.classes = append(r.classes, class)
	return r.oracle.Fusible(class)
}

// For random programs of all kinds, all rows found are legal, and the integer
// program finds some for every class that has a choice.
func TestChoicesOfRandomPrograms(t *testing.T) {
	t.Parallel()
	count := uint64(longer(10, 400))
	var a agreement
	for seed := range count {
		p := randomprogram.Random(seed)
		layout := randomprogram.NewLayout(p, []randomprogram.Size{{N: 5, M: 7}})
		file, err := frontend.Parse("random.c", []byte(p.Prelude(layout)+p.Source(layout)), frontend.Options{})
		if err != nil {
			continue
		}
		ctx := isl.NewContext()
		graph := kerneltest.AnalyzeIn(t, ctx, file.Regions[0].Program)
		g := groupTestOf(t, graph, Options{MaxPeel: 2})
		for _, class := range pairsAndTriples(len(graph.Model.Statements)) {
			for _, part := range g.linkedParts(class) {
				if len(part) == len(class) && g.sourceLoop(part) == nil {
					a.compare(t, graph, g, fmt.Sprint("seed ", seed), part)
				}
			}
		}
		ctx.Close()
	}
	t.Logf("%+v", a)
	if a.both < int(count)/10 || a.neither < int(count)/8 {
		t.Errorf("%+v", a)
	}
}
