package space

import (
	"fmt"
	"slices"
	"testing"

	"polytune/isl"
	"polytune/scop"
)

// instance is one execution of a statement with the program's parameters
// fixed. time is its place in the original order.
type instance struct {
	statement int
	time      []int64
}

// execution is everything a program does at one small size, found without
// any dependence analysis.
type execution struct {
	program *scop.Program
	// touched are the instances that access an element, and whether they
	// write it, by the element's name.
	touched map[string][]touch
}

type touch struct {
	instance instance
	write    bool
}

// execute enumerates the instances of a program and the elements they touch.
// Iterators run from -1 to span.
func execute(t *testing.T, p *scop.Program, parameters []int, span int64) *execution {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	e := &execution{program: p, touched: map[string][]touch{}}
	for i := range p.Statements {
		s := &p.Statements[i]
		domain := fixParameters(ctx.ReadSet(s.Domain), p, parameters)
		var relations []*isl.Set
		for _, a := range s.Accesses {
			relations = append(relations, fixParameters(ctx.ReadMap(a.Relation).Wrap(), p, parameters))
		}
		for _, point := range pointsOf(t, domain, s.Depth(), span) {
			x := instance{i, originalTime(s, point)}
			for k, a := range s.Accesses {
				element := fmt.Sprint(a.Array, elementOf(t, relations[k], point))
				e.touched[element] = append(e.touched[element], touch{x, a.Write})
			}
		}
	}
	if err := ctx.Err(); err != nil {
		t.Fatal(err)
	}
	return e
}

// fixParameters gives the program's parameters values, by name, and removes
// them.
func fixParameters(set *isl.Set, p *scop.Program, values []int) *isl.Set {
	for k := range set.Dim(isl.DimParam) {
		if i := slices.Index(p.Parameters, set.DimName(isl.DimParam, k)); i >= 0 {
			set = set.FixSi(isl.DimParam, k, values[i%len(values)])
		}
	}
	return set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam))
}

// pointsOf tries every point of a box.
func pointsOf(t *testing.T, set *isl.Set, depth int, span int64) [][]int64 {
	t.Helper()
	var list [][]int64
	var fill func(prefix []int64, rest *isl.Set)
	fill = func(prefix []int64, rest *isl.Set) {
		empty, err := rest.IsEmpty()
		if err != nil {
			t.Fatal(err)
		}
		if empty {
			return
		}
		if len(prefix) == depth {
			list = append(list, slices.Clone(prefix))
			return
		}
		for value := int64(-1); value <= span; value++ {
			fill(append(prefix, value), rest.FixSi(isl.DimSet, len(prefix), int(value)))
		}
	}
	fill(nil, set)
	return list
}

func elementOf(t *testing.T, relation *isl.Set, iterators []int64) []int64 {
	t.Helper()
	for k, value := range iterators {
		relation = relation.FixSi(isl.DimSet, k, int(value))
	}
	point, ok := relation.Point()
	if !ok {
		t.Fatal("an access has no element")
	}
	return point[len(iterators):]
}

func originalTime(s *scop.Statement, iterators []int64) []int64 {
	time := []int64{int64(s.Position[0])}
	for k, value := range iterators {
		if s.Loops[k].Descending {
			value = -value
		}
		time = append(time, value, int64(s.Position[k+1]))
	}
	return time
}

// smallRows are all rows with coefficients 0, 1, 2, not all of them 0 unless
// there are none; in nests of more than four loops, with coefficients 0 and 1.
func smallRows(depth int) [][]int64 {
	coefficients := int64(3)
	if depth > 4 {
		coefficients = 2
	}
	rows := [][]int64{{}}
	for range depth {
		var longer [][]int64
		for _, row := range rows {
			for value := range coefficients {
				longer = append(longer, append(slices.Clone(row), value))
			}
		}
		rows = longer
	}
	if depth > 0 {
		rows = rows[1:]
	}
	return rows
}

// never is a lag that no shift within the peel bound makes up for.
const never = 1 << 20

// instanceOracle decides fusibility from an execution: it tries all small
// rows for the statements of a class, and solves the difference constraints
// on their shifts by relaxation, as Bellman and Ford do.
type instanceOracle struct {
	peel int64
	rows [][][]int64
	// lags[r][s][a][b] is how much later than s the statement r must not be
	// shifted: the greatest row value of r minus that of s, over all
	// dependences from r to s, with row a for r and b for s.
	lags [][][][]int64
}

func newInstanceOracle(e *execution, peel int64) *instanceOracle {
	n := len(e.program.Statements)
	o := &instanceOracle{peel: peel, rows: make([][][]int64, n), lags: make([][][][]int64, n)}
	for s := range n {
		o.rows[s] = smallRows(e.program.Statements[s].Depth())
	}
	for r := range n {
		o.lags[r] = make([][][]int64, n)
		for s := range n {
			o.lags[r][s] = make([][]int64, len(o.rows[r]))
			for a := range o.rows[r] {
				o.lags[r][s][a] = slices.Repeat([]int64{-never}, len(o.rows[s]))
			}
		}
	}
	for _, list := range e.touched {
		for _, x := range list {
			for _, y := range list {
				if (x.write || y.write) && slices.Compare(x.instance.time, y.instance.time) < 0 {
					o.addDependence(x.instance, y.instance)
				}
			}
		}
	}
	return o
}

func (o *instanceOracle) addDependence(x, y instance) {
	lags := o.lags[x.statement][y.statement]
	for b, target := range o.rows[y.statement] {
		later := y.value(target)
		for a, source := range o.rows[x.statement] {
			lags[a][b] = max(lags[a][b], x.value(source)-later)
		}
	}
}

// value is that of a row, whose coefficients are those of the iterators in
// the direction of their loops.
func (x instance) value(row []int64) int64 {
	sum := int64(0)
	for k, coefficient := range row {
		sum += coefficient * x.time[1+2*k]
	}
	return sum
}

// Fusible tries all choices of one small row per statement of the class.
func (o *instanceOracle) Fusible(class []int) (bool, error) {
	return o.choose(class, nil), nil
}

// choose extends the rows chosen for the first statements of the class.
func (o *instanceOracle) choose(class, chosen []int) bool {
	if len(chosen) == len(class) {
		return o.hasShifts(class, chosen)
	}
	s := class[len(chosen)]
	for row := range o.rows[s] {
		if o.lags[s][s][row][row] > 0 {
			continue
		}
		extended := append(slices.Clone(chosen), row)
		if o.hasShifts(class[:len(extended)], extended) && o.choose(class, extended) {
			return true
		}
	}
	return false
}

// hasShifts says whether shifts exist such that every target is shifted
// against its source by the lag or more, and no two differ by the peel bound.
func (o *instanceOracle) hasShifts(class, rows []int) bool {
	shifts := make([]int64, len(class))
	for range len(class) + 1 {
		changed := false
		for i, r := range class {
			for j, s := range class {
				least := -(o.peel - 1)
				if i != j {
					least = max(least, o.lags[r][s][rows[i]][rows[j]])
				}
				if i != j && shifts[j] < shifts[i]+least {
					shifts[j] = shifts[i] + least
					changed = true
				}
			}
		}
		if !changed {
			return true
		}
	}
	return false
}

// checkAgainstInstances compares the space of a program with the weak orders
// that an execution at a small size allows: every dependent pair of
// instances in the right order of classes, and every class fusible with
// small rows.
func checkAgainstInstances(t *testing.T, p *scop.Program) {
	t.Helper()
	sizes, span := smallSizes(p)
	e := execute(t, p, sizes, span)
	o := newInstanceOracle(e, DefaultMaxPeel)
	n := len(p.Statements)
	var edges [][2]int
	for r := range n {
		for s := range n {
			if o.lags[r][s][0][0] > -never && r != s {
				edges = append(edges, [2]int{r, s})
			}
		}
	}
	want := legalByDefinition(n, edges, &cachedOracle{o, map[string]bool{}})
	s, err := New(analyze(t, p), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := collect(t, s.All()); !samePartitions(got, want) {
		t.Errorf("%s: got %d partitions %v, brute force finds %d: %v", p.Name, len(got), got, len(want), want)
	}
}

// smallSizes are values of the parameters, and the largest value of an
// iterator, which cuts off longer loops; smaller ones for deep loop nests.
func smallSizes(p *scop.Program) ([]int, int64) {
	depth := 0
	for i := range p.Statements {
		depth = max(depth, p.Statements[i].Depth())
	}
	switch {
	case depth > 5:
		return []int{2, 3, 2}, 1
	case depth > 3:
		return []int{4, 3, 4}, 8
	}
	return []int{6, 5, 7, 4, 6}, 8
}

type cachedOracle struct {
	oracle
	answers map[string]bool
}

func (c *cachedOracle) Fusible(class []int) (bool, error) {
	key := fmt.Sprint(class)
	answer, known := c.answers[key]
	if !known {
		answer, _ = c.oracle.Fusible(class)
		c.answers[key] = answer
	}
	return answer, nil
}

func TestNestsAgainstInstances(t *testing.T) {
	for _, nests := range [][]loopNest{twoProducts, transposedProduct} {
		checkAgainstInstances(t, dependencesOf(t, nests).Model.Program)
	}
}
