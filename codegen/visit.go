package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Visit makes the C statements that look at one element of an array: element
// is its text, such as "A[i0][i1]", with these subscripts.
type Visit func(array *scop.Array, element string, subscripts []string) string

// Count makes the C expression for how many parts of an array there are in memory, of which these
// are the first two: elements, or arrays of them. It is nil where nothing can tell.
type Count func(array *scop.Array, first, second string) string

// VisitWritten prints code that visits every element which the model's
// statements may write and which outlives the region, each once: array by
// array, in the order of the program's list, elements in lexicographic order.
// An array without such elements is not visited.
//
// Where subscripts are affine the loops come from isl and touch nothing else.
// Where they depend on data, all elements that the declaration gives are
// visited; the running code is asked for extents that it does not give, and
// where nothing answers, they are an error.
func VisitWritten(model *scop.Model, taken map[string]bool, visit Visit, count Count) (string, error) {
	mark := model.Context.Mark()
	defer model.Context.Release(mark)
	var b strings.Builder
	for i := range model.Program.Arrays {
		array := &model.Program.Arrays[i]
		if array.Local {
			continue
		}
		elements := writtenElements(model, array.Name)
		if elements == nil {
			continue
		}
		text, err := visitArray(model, elements, array, taken, visit, count)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), model.Context.Err()
}

// VisitRead prints code that visits elements which some of the model's statements have read for
// certain and which outlive the region, array by array. Those of which isl cannot tell the loops
// are left out.
func VisitRead(model *scop.Model, of func(*scop.Statement) bool, taken map[string]bool, visit Visit) (string, error) {
	mark := model.Context.Mark()
	defer model.Context.Release(mark)
	var b strings.Builder
	for i := range model.Program.Arrays {
		array := &model.Program.Arrays[i]
		elements := touchedElements(model, array.Name, func(s *scop.Statement, a scop.Access) bool { return of(s) && a.Read && !a.May })
		if array.Local || elements == nil {
			continue
		}
		if bounded, err := isBounded(elements); err != nil || !bounded {
			model.Context.TakeErr()
			continue
		}
		text, err := visitSet(model, elements.Coalesce(), array, taken, visit)
		if err != nil {
			model.Context.TakeErr()
			continue
		}
		b.WriteString(text)
	}
	return b.String(), model.Context.Err()
}

// writtenElements is the set of elements of an array that are perhaps written,
// or nil when no statement writes to it.
func writtenElements(model *scop.Model, array string) *isl.Set {
	return touchedElements(model, array, func(_ *scop.Statement, a scop.Access) bool { return a.Write })
}

// touchedElements is the set of elements of an array that such references touch, or nil when there
// are none.
func touchedElements(model *scop.Model, array string, wanted func(*scop.Statement, scop.Access) bool) *isl.Set {
	var elements *isl.Set
	for i := range model.Statements {
		s := &model.Statements[i]
		for k, access := range s.Statement.Accesses {
			if !wanted(s.Statement, access) || access.Array != array {
				continue
			}
			more := model.Touched(s, k)
			if elements != nil {
				more = elements.Union(more)
			}
			elements = more
		}
	}
	return elements
}

// visitArray prints the loops of one array.
func visitArray(model *scop.Model, elements *isl.Set, array *scop.Array, taken map[string]bool, visit Visit, count Count) (string, error) {
	bounded, err := isBounded(elements)
	if err == nil && !bounded {
		elements = elements.Intersect(model.Context.ReadSet(declared(array, elements.TupleName())))
		bounded, err = isBounded(elements)
	}
	if err != nil {
		return "", err
	}
	if !bounded {
		return visitDeclared(array, taken, visit, count)
	}
	code, err := visitSet(model, elements.Coalesce(), array, taken, visit)
	if err == nil {
		return code, nil
	}
	model.Context.TakeErr()
	if whole, failed := visitDeclared(array, taken, visit, nil); failed == nil {
		return whole, nil
	}
	return "", err
}

// declared is the set of an array's elements, in isl's notation, as far as its
// extents are numbers.
func declared(array *scop.Array, tuple string) string {
	subscripts, conditions := make([]string, len(array.Extents)), []string{"true"}
	for d, extent := range array.Extents {
		subscripts[d] = fmt.Sprintf("i%d", d)
		if _, err := strconv.Atoi(extent); err == nil {
			conditions = append(conditions, fmt.Sprintf("0 <= i%d < %s", d, extent))
		}
	}
	return fmt.Sprintf("{ %s[%s] : %s }", tuple, strings.Join(subscripts, ", "), strings.Join(conditions, " and "))
}

// isBounded says whether the set is finite for all values of the parameters.
func isBounded(set *isl.Set) (bool, error) {
	dimensions := set.Dim(isl.DimSet)
	for d := range dimensions {
		line := set.ProjectOut(isl.DimSet, d+1, dimensions-d-1).ProjectOut(isl.DimSet, 0, d)
		above, err := line.HasUpperBound(0)
		if err != nil || !above {
			return false, err
		}
		if below, err := line.HasLowerBound(0); err != nil || !below {
			return false, err
		}
	}
	return true, nil
}

// visitSet prints the loops over a set of elements: those of a program whose
// only statement is the visit.
func visitSet(model *scop.Model, elements *isl.Set, array *scop.Array, taken map[string]bool, visit Visit) (string, error) {
	const name = "Visit"
	iterators := freshNames("i", len(array.Extents), taken)
	statement := scop.Statement{
		Name: name, Source: visit(array, array.Reference(iterators), iterators), Domain: elements.SetTupleName(name).String(),
		Position: make([]int, len(iterators)+1),
	}
	for _, iterator := range iterators {
		statement.Loops = append(statement.Loops, scop.Loop{Iterator: iterator})
	}
	statement.Uses = usesOf(statement.Source, iterators)
	program := *model.Program
	program.Statements, program.Arrays, program.Locals = []scop.Statement{statement}, []scop.Array{*array}, nil
	if program.Assumed != "" {
		program.Assumed, program.Context = "", program.ParametersText()+"{ : }"
	}
	visits, err := program.Model(model.Context)
	if err != nil {
		return "", err
	}
	return Generate(visits, mark.Schedule{Tree: model.Context.Lexicographic(visits.Domain(), name, iterators, 0)}, Options{Taken: taken})
}

// usesOf are the places in a text that name one of the iterators.
func usesOf(source string, iterators []string) []scop.Use {
	var uses []scop.Use
	for offset := 0; offset < len(source); offset++ {
		if !ctext.IsWordByte(source[offset]) {
			continue
		}
		word := ctext.WordAt(source, offset)
		for k, iterator := range iterators {
			if word == iterator {
				uses = append(uses, scop.Use{Offset: offset, Loop: k, Subscript: true})
			}
		}
		offset += len(word)
	}
	return uses
}

// visitDeclared prints the loops over all elements of an array that are declared, or in memory.
func visitDeclared(array *scop.Array, taken map[string]bool, visit Visit, count Count) (string, error) {
	var b strings.Builder
	if array.Linear && count != nil {
		flat := *array
		flat.Linear, flat.Extents = false, slices.Clone(array.ExtentsInC())
		flat.Extents[array.LinearAt] = ""
		array = &flat
	}
	subscripts := freshNames("c", len(array.Extents), taken)
	for d, extent := range array.Extents {
		if d == 0 {
			extent = cmp.Or(extent, array.Passed, array.Span)
		}
		if extent == "" && count == nil || array.Linear {
			return "", fmt.Errorf("the region writes to %s at subscripts that depend on data, and its extent is not known; declare it as an array, such as %s %s[n]",
				array.Spelling(), array.Type, array.Spelling())
		}
		outer := array.Element(slices.Repeat([]string{"0"}, d))
		end := fmt.Sprintf("(sizeof(%s) / sizeof(%s[0]))", outer, outer)
		switch part := slices.Clip(subscripts[:d]); {
		case extent == "":
			end = count(array, array.Element(append(part, "0")), array.Element(append(part, "1")))
		case d == 0 && (array.Argument || array.Extents[0] == ""):
			end = "(" + extent + ")"
		}
		fmt.Fprintf(&b, "%sfor (long %s = 0; %s < (long) %s; %s++)\n", strings.Repeat("  ", d), subscripts[d], subscripts[d], end, subscripts[d])
	}
	fmt.Fprintf(&b, "%s{ %s }\n", strings.Repeat("  ", len(subscripts)), visit(array, array.Reference(subscripts), subscripts))
	return b.String(), nil
}
