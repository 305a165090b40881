package transform

import (
	"fmt"
	"slices"
	"testing"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
)

// instance is one execution of a statement with the parameters fixed.
type instance struct {
	statement int
	iterators []int64
	// original is its place in the original order.
	original []int64
}

// execution is what a program does at one small size, found by trying points,
// without any dependence analysis: its instances, and the pairs of them of
// which the first must run before the second.
type execution struct {
	parameters []int64
	instances  []instance
	dependent  [][2]int
}

// execute enumerates the instances of a program whose iterators are between 0
// and the largest parameter.
func execute(t *testing.T, p *scop.Program, parameters []int64) *execution {
	t.Helper()
	context := isl.NewContext()
	defer context.Close()
	e := &execution{parameters: parameters}
	touches := map[string][]int{}
	writes := map[string]map[int]bool{}
	for i := range p.Statements {
		s := &p.Statements[i]
		var accesses []*isl.Set
		for _, a := range s.Accesses {
			accesses = append(accesses, fixParameters(context.ReadMap(a.Relation).Wrap(), p, parameters))
		}
		for _, point := range points(t, fixParameters(context.ReadSet(s.Domain), p, parameters), s.Depth(), slices.Max(parameters)) {
			number := len(e.instances)
			e.instances = append(e.instances, instance{i, point, originalTime(s, point)})
			for k, a := range s.Accesses {
				element := fmt.Sprint(a.Array, elementOf(t, accesses[k], point))
				if writes[element] == nil {
					writes[element] = map[int]bool{}
				}
				touches[element] = append(touches[element], number)
				writes[element][number] = writes[element][number] || a.Write
			}
		}
	}
	seen := map[[2]int]bool{}
	for element, list := range touches {
		for _, x := range list {
			for _, y := range list {
				pair := [2]int{x, y}
				if (writes[element][x] || writes[element][y]) && !seen[pair] &&
					slices.Compare(e.instances[x].original, e.instances[y].original) < 0 {
					seen[pair] = true
					e.dependent = append(e.dependent, pair)
				}
			}
		}
	}
	return e
}

func fixParameters(set *isl.Set, p *scop.Program, values []int64) *isl.Set {
	for k := range set.Dim(isl.DimParam) {
		set = set.FixSi(isl.DimParam, k, int(values[slices.Index(p.Parameters, set.DimName(isl.DimParam, k))]))
	}
	return set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam))
}

// points are the points of a set, found by trying all of a box.
func points(t *testing.T, set *isl.Set, depth int, span int64) [][]int64 {
	t.Helper()
	var list [][]int64
	var fill func(prefix []int64, rest *isl.Set)
	fill = func(prefix []int64, rest *isl.Set) {
		if empty, err := rest.IsEmpty(); err != nil {
			t.Fatal(err)
		} else if empty {
			return
		}
		if len(prefix) == depth {
			list = append(list, slices.Clone(prefix))
			return
		}
		for value := range span + 1 {
			fill(append(prefix, value), rest.FixSi(isl.DimSet, len(prefix), int(value)))
		}
	}
	fill(nil, set)
	return list
}

func elementOf(t *testing.T, access *isl.Set, iterators []int64) []int64 {
	t.Helper()
	for k, value := range iterators {
		access = access.FixSi(isl.DimSet, k, int(value))
	}
	point, ok := access.Point()
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

// date is one number of an instance's time; free says that it is an iteration
// of a loop that runs in no order.
type date struct {
	value int64
	free  bool
}

// timeOf walks down the tree of the schedule, as the code will: the number of
// the class, the values of its loops, the number of the part, and so on.
func (e *execution) timeOf(tree *schedule.Tree, x instance) []date {
	var time []date
	nodes := tree.Classes
	for len(nodes) > 0 {
		k := slices.IndexFunc(nodes, func(n *schedule.Node) bool { return slices.Contains(n.Statements, x.statement) })
		time = append(time, date{value: int64(k)})
		for _, loop := range nodes[k].Loops {
			sum := int64(0)
			for _, term := range loop.Terms {
				sum += floorDiv(e.rowValue(term.Rows[x.statement], x), term.Size)
			}
			time = append(time, date{sum, loop.IsParallel() || loop.IsVector()})
		}
		nodes = nodes[k].Parts
	}
	return time
}

func (e *execution) rowValue(row schedule.Row, x instance) int64 {
	sum := row.Constant
	for k, c := range row.Iterators {
		sum += c * x.iterators[k]
	}
	for k, c := range row.Parameters {
		sum += c * e.parameters[k]
	}
	return sum
}

func floorDiv(a, b int64) int64 {
	if a%b < 0 {
		return a/b - 1
	}
	return a / b
}

// legal says whether every dependent pair runs in order under the tree, and
// none in different iterations of a loop without order.
func (e *execution) legal(tree *schedule.Tree) bool {
	times := make([][]date, len(e.instances))
	for k, x := range e.instances {
		times[k] = e.timeOf(tree, x)
	}
	for _, pair := range e.dependent {
		if !inOrder(times[pair[0]], times[pair[1]]) {
			return false
		}
	}
	return true
}

func inOrder(source, target []date) bool {
	for k := range min(len(source), len(target)) {
		if source[k].value != target[k].value {
			return source[k].value < target[k].value && !source[k].free
		}
	}
	return false
}
