package split

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
	"polytune/scop/depend"
)

// shortDistance is the number of iterations up to which a dependence is short,
// and by which long ones may miss the place they are symmetric about, as in
// Pluto.
const shortDistance = 5

// maxPieces bounds the statements of the cut program.
const maxPieces = 256

// Found is what Find has to say about a program.
type Found struct {
	// Cuts are in the order of their loops, outermost first.
	Cuts []scop.Cut
	// Reasons say, for each loop that is not cut, why.
	Reasons []string
}

// Why is a sentence about the loops that are not cut.
func (f *Found) Why() string {
	if len(f.Reasons) == 0 {
		return "there is no loop"
	}
	return strings.Join(f.Reasons, "; ")
}

// Find looks, for each axis, the loops of all statements that run over one
// dimension of the data, for long dependences along it that are symmetric about
// one place, and cuts the axis there.
func Find(g *depend.Graph) (*Found, error) {
	all, err := axesOf(g)
	if err != nil {
		return nil, err
	}
	found := &Found{}
	pieces := map[int]int{}
	for _, a := range all {
		reason, cut, err := a.cut(g)
		if err != nil {
			return nil, fmt.Errorf("cutting %s: %w", a.name(g), err)
		}
		if cut != nil && !a.count(pieces, len(g.Model.Statements)) {
			reason = fmt.Sprintf("a cut would make more than %d pieces", maxPieces)
		}
		if reason != "" {
			found.Reasons = append(found.Reasons, a.name(g)+": "+reason)
			continue
		}
		found.Cuts = append(found.Cuts, cut)
	}
	return found, nil
}

// count doubles the numbers of pieces of the axis' statements, by statement,
// unless those of all would be too many then.
func (a *axis) count(pieces map[int]int, statements int) bool {
	total := statements
	for s := range statements {
		doubled := pieces[s]
		if _, cut := a.loops[s]; cut {
			doubled++
		}
		if doubled > maxRows {
			return false
		}
		total += 1<<doubled - 1
	}
	if total > maxPieces {
		return false
	}
	for s := range a.loops {
		pieces[s]++
	}
	return true
}

// cut is the cut of the axis, or the reason why there is none.
func (a *axis) cut(g *depend.Graph) (reason string, cut scop.Cut, err error) {
	if a.tied {
		return "dependences tie it to another loop around the same statement", nil, nil
	}
	if name := a.private(g.Model.Program); name != "" {
		return "each iteration has a variable " + name + " of its own, which keeps its statements together", nil, nil
	}
	long, err := a.long(g)
	if err != nil {
		return "", nil, err
	}
	if len(long) == 0 {
		return fmt.Sprintf("all dependences are short, over %d iterations at most", shortDistance), nil, nil
	}
	middle, ok, err := a.middle(g, long)
	if err != nil {
		return "", nil, err
	}
	if !ok {
		return fmt.Sprintf("its long dependences, over more than %d iterations, are not symmetric about one place", shortDistance), nil, nil
	}
	for s := range g.Model.Statements {
		if k, ok := a.loops[s]; ok {
			cut = append(cut, scop.CutRow{Statement: g.Model.Statements[s].Name, Row: cutRow(g.Model.Statements[s].Depth(), k, middle)})
		}
	}
	return "", cut, nil
}

// cutRow is 2i - V for the loop i and twice the place to cut at, V, or i - V/2
// where that is an integer for all parameters.
func cutRow(depth, loop int, middle scop.Row) scop.Row {
	row := scop.Row{Iterators: make([]int64, depth), Parameters: slices.Clone(middle.Parameters), Constant: -middle.Constant}
	row.Iterators[loop] = 2
	even := middle.Constant%2 == 0
	for p, c := range row.Parameters {
		row.Parameters[p] = -c
		even = even && c%2 == 0
	}
	if even {
		row.Iterators[loop], row.Constant = 1, row.Constant/2
		for p := range row.Parameters {
			row.Parameters[p] /= 2
		}
	}
	return row
}
