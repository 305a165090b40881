package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop"
)

// Rows of pairs that only a loop run in the opposite direction makes fusible.
func TestSigned(t *testing.T) {
	figure2 := []loopNest{"0 0 ; i ; 0<=i<N ; w:b[i]", "1 0 ; i ; 0<=i<N ; w:c[i] r:b[N-1-i]"}
	for _, test := range []struct {
		name  string
		nests []loopNest
		// peel is the smallest bound with which the two statements are fusible
		// with signed rows, which are then want; 0 for none up to 4. Without
		// they are never fusible.
		peel int
		want []string
	}{
		{"Figure 2 of the Pluto+ paper", figure2, 1, []string{"i", "-i + N - 1"}},
		{"reversal with a shift", []loopNest{figure2[0], "1 0 ; i ; 0<=i<N ; w:c[i] r:b[N-i]"}, 1, []string{"-i + N - 1", "i"}},
		{"reversal of a part, with a shift", []loopNest{"0 0 ; i ; 0<=i<M ; w:b[i]", "1 0 ; i ; 0<=i<N ; w:c[i] r:b[N-i]"}, 2, []string{"i", "-i + N"}},
		{"reversal of a part, with a shift of two", []loopNest{"0 0 ; i ; 0<=i<M ; w:b[i]", "1 0 ; i ; 0<=i<N ; w:c[i] r:b[N+1-i]"}, 3, []string{"i", "-i + N + 1"}},
		{"a loop that counts down after one that counts up", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; ~i ; 0<=i<N ; w:B[i] r:A[i]"}, 1, []string{"i", "i"}},
		{"reversal and interchange", []loopNest{"0 0 0 ; i j ; 0<=i<N and 0<=j<M ; u:A[i]", "1 0 0 ; i j ; 0<=i<M and 0<=j<N ; w:B[i,j] r:A[N-1-j]"}, 1, []string{"i", "-j + N - 1"}},
		{"one of two bounds", []loopNest{figure2[0], "1 0 ; i ; 0<=i<N and i<M ; w:c[i] r:b[M-1-i]"}, 1, []string{"i", "-i + M - 1"}},
		{"triangle", []loopNest{figure2[0], "1 0 0 ; i j ; 0<=i<N and i<=j<N ; w:c[i,j] r:b[N-1-j]"}, 1, []string{"i", "-i + N - 1"}},
		{"a loop inside bounds one outside", []loopNest{"0 0 ; i ; 0<=i<M ; w:b[i]", "1 0 0 ; i j ; 0<=i<N and i<j<N-i ; w:c[i,j] r:b[N-1-i]"}, 1, []string{"i", "-i + N - 1"}},
		{"a bound that is not affine", []loopNest{"0 0 ; i ; 0<=2i<=M ; w:b[2i]", "1 0 ; i ; 0<=2i<=N ; w:c[i] r:b[N-2i]"}, 0, nil},
		{"reduction before its use", []loopNest{"0 0 ; i ; 0<=i<N ; u:s[]", "1 0 ; i ; 0<=i<N ; u:A[i] r:s[]"}, 0, nil},
		{"shift by a parameter", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 0<=i<N ; w:B[i] r:A[i+M]"}, 0, nil},
	} {
		graph := dependencesOf(t, test.nests)
		for peel := 1; peel <= 4; peel++ {
			for _, signed := range []bool{false, true} {
				rows, err := groupTestOf(t, graph, Options{MaxPeel: peel, Signed: signed}).Rows([]int{0, 1})
				if want := signed && test.peel > 0 && peel >= test.peel; err != nil || (rows != nil) != want {
					t.Errorf("%s, peel bound %d, signed %v: rows %v (%v), want %v", test.name, peel, signed, rows, err, want)
				}
				if rows == nil {
					continue
				}
				if got := textsOf(graph.Model.Program, rows); peel == test.peel && !slices.Equal(got, test.want) {
					t.Errorf("%s, peel bound %d: rows %v, want %v", test.name, peel, got, test.want)
				}
			}
		}
	}
}

// textsOf are rows as text, by statement.
func textsOf(p *scop.Program, rows Rows) []string {
	var list []string
	for s := range p.Statements {
		if row, ok := rows[s]; ok {
			list = append(list, row.Text(p.Statements[s].Iterators(), p.Parameters))
		}
	}
	return list
}

// Every partition is one of the signed space too, and all rows of the signed
// space's classes run no dependence backwards.
func TestSignedKernels(t *testing.T) {
	t.Parallel()
	for _, b := range kerneltest.Some() {
		p := programOf(t, b)
		ctx := isl.NewContext()
		graph := kerneltest.AnalyzeIn(t, ctx, p)
		spaces := [2]*Space{}
		for k := range spaces {
			s, err := New(graph, Options{Signed: k == 1})
			if err != nil {
				t.Fatalf("%s: %v", b.Name, err)
			}
			spaces[k] = s
		}
		for q := range firstOf(t, spaces[0], longer(4, 20)) {
			if ok, err := spaces[1].Contains(q); !ok {
				t.Errorf("%s: the signed space lacks %s: %v", b.Name, q, err)
			}
		}
		classes := map[string][]int{}
		for q := range firstOf(t, spaces[1], longer(4, 20)) {
			for _, class := range q.Classes() {
				if len(classes) < 5 && len(class) < 10 {
					classes[fmt.Sprint(class)] = class
				}
			}
			if ok, _ := spaces[0].Contains(q); !ok {
				t.Logf("%s: %s needs signed rows", b.Name, q)
			}
		}
		for _, class := range classes {
			rows, err := spaces[1].Rows(class)
			if err != nil {
				t.Fatal(err)
			}
			checkLegalRows(t, graph, b.Name, class, rows)
		}
		ctx.Close()
	}
}

// Signed fusibility of pairs and triples of random programs agrees with brute
// force over executions: rows with small coefficients of either sign.
//
// An execution has the dependences of one size only, so that where brute force
// allows more it tries larger sizes; the space has more rows, so that where it
// allows more its rows are tried on all executions.
func TestSignedAgainstInstances(t *testing.T) {
	t.Parallel()
	programs := longer(20, 1500)
	var signedOnly, witnessed, refused, classes int
	for seed := range programs {
		p := randomSmallProgram(rand.New(rand.NewPCG(uint64(seed), 77)))
		ctx := isl.NewContext()
		q := p.program(fmt.Sprint("seed ", seed))
		graph := kerneltest.AnalyzeIn(t, ctx, q)
		g, plain := groupTestOf(t, graph, Options{MaxPeel: 2, Signed: true}), groupTestOf(t, graph, Options{MaxPeel: 2})
		f := newSignedForce(p, q)
		for _, class := range pairsAndTriples(len(q.Statements)) {
			rows, err := g.Rows(class)
			if err != nil {
				t.Fatal(err)
			}
			unsigned, err := plain.Fusible(class)
			if err != nil || unsigned && rows == nil {
				t.Errorf("%s: %v is fusible without signed rows only (%v)", q.Name, class, err)
			}
			classes++
			if rows != nil && !unsigned {
				signedOnly++
			}
			want := f.fusible(class, rows == nil)
			switch {
			case rows != nil && !want:
				witnessed++
				f.check(t, rows)
			case rows == nil && want:
				refused++
				t.Logf("%s: %v is fusible in all executions tried\n%s", q.Name, class, q)
			}
		}
		ctx.Close()
	}
	t.Logf("%d programs, %d classes: %d fusible with signed rows only, %d with rows that brute force does not try, %d refused although no execution forbids them",
		programs, classes, signedOnly, witnessed, refused)
	if signedOnly < classes/50 || refused > classes/100 {
		t.Errorf("of %d classes, %d are fusible with signed rows only and %d are refused", classes, signedOnly, refused)
	}
}

// pairsAndTriples are the sets of two and three of n statements.
func pairsAndTriples(n int) (list [][]int) {
	for k := range n {
		for j := range k {
			list = append(list, []int{j, k})
			for i := range j {
				list = append(list, []int{i, j, k})
			}
		}
	}
	return list
}

// signedForce is brute force with signed rows. Instances get further times, of
// the loops in the opposite direction, and rows a second half for these.
type signedForce struct {
	program *smallProgram
	lags    *lags
	groups  [][][2]int
	tried   int
}

func newSignedForce(p *smallProgram, q *scop.Program) *signedForce {
	l := &lags{}
	for s := range q.Statements {
		l.rows = append(l.rows, signedRows(q.Statements[s].Depth()))
	}
	l.makeTables()
	f := &signedForce{p, l, sizeGroups(p.depth()), 0}
	f.try()
	return f
}

// try takes account of the next sizes.
func (f *signedForce) try() {
	for _, size := range f.groups[f.tried] {
		f.lags.add(f.execute(size))
	}
	f.tried++
}

// fusible says whether the executions allow small rows for a class. Where that
// is not wanted, more executions are asked.
func (f *signedForce) fusible(class []int, unwanted bool) bool {
	for {
		answer, _ := newInstanceOracle(f.lags, 2).Fusible(class)
		if !answer || !unwanted || f.tried == len(f.groups) {
			return answer
		}
		f.try()
	}
}

// check tries rows on the executions.
func (f *signedForce) check(t *testing.T, rows Rows) {
	t.Helper()
	value := func(x instance, size [2]int) int64 {
		row := rows[x.statement]
		sum := row.Constant + row.Parameters[0]*int64(size[0]) + row.Parameters[1]*int64(size[1])
		for k, loop := range f.program.statements[x.statement].loops {
			iterator := x.time[1+2*k]
			if loop.descending {
				iterator = int64(f.program.statements[x.statement].greatest(k, size)) - iterator
			}
			sum += row.Iterators[k] * iterator
		}
		return sum
	}
	for _, size := range f.groups[0] {
		for element, touches := range f.program.execute(size) {
			for _, x := range touches {
				for _, y := range touches {
					_, first := rows[x.instance.statement]
					_, second := rows[y.instance.statement]
					if first && second && (x.write || y.write) && slices.Compare(x.instance.time, y.instance.time) < 0 &&
						value(x.instance, size) > value(y.instance, size) {
						t.Errorf("rows %v run %v before %v, which accesses %s first", rows, y.instance, x.instance, element)
						return
					}
				}
			}
		}
	}
}

// execute is an execution with the times of the opposite directions: of a loop
// that counts down its iterator, otherwise the loop's last value, as the bounds
// have it, minus the iterator.
func (f *signedForce) execute(size [2]int) execution {
	e := f.program.execute(size)
	for _, touches := range e {
		for i := range touches {
			x := &touches[i].instance
			statement := &f.program.statements[x.statement]
			time := slices.Clone(x.time)
			for k := range statement.loops {
				opposite := int64(statement.greatest(k, size)) - x.time[1+2*k]
				time = append(time, opposite, 0)
			}
			x.time = time
		}
	}
	return e
}

// greatest is the greatest value of a loop's iterator: by its bounds and those
// of the loops around it, or what a loop that counts down counts from.
func (s *smallStatement) greatest(loop int, size [2]int) int {
	l := &s.loops[loop]
	if l.descending {
		return l.start.value(size, nil)
	}
	last := affine{n: l.upper.n, m: l.upper.m, constant: l.upper.constant - 1, iterators: l.upper.iterators}
	return greatestValue(last, s.loops[:loop]).value(size, nil)
}

// greatestValue is the greatest value of an expression in some loops, by their
// bounds, as one over N and M.
func greatestValue(a affine, loops []smallLoop) affine {
	for k := len(loops) - 1; k >= 0; k-- {
		factor, bound := a.iterators[k], loops[k].upper
		bound.constant--
		if factor < 0 {
			bound = loops[k].lower
		}
		a.iterators[k] = 0
		a = affine{a.n + factor*bound.n, a.m + factor*bound.m, a.constant + factor*bound.constant, a.iterators}
		for outer := range k {
			a.iterators[outer] += factor * bound.iterators[outer]
		}
	}
	return a
}

// signedRows are rows of times and opposite times with small coefficients, of
// which no loop has both.
func signedRows(depth int) [][]int64 {
	largest := int64(2)
	if depth > 2 {
		largest = 1
	}
	return slices.DeleteFunc(smallRows(2*depth, largest), func(row []int64) bool {
		for k := range depth {
			if row[k] != 0 && row[depth+k] != 0 {
				return true
			}
		}
		return false
	})
}
