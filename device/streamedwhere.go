package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
)

// instances say, of parameters for the tile, the plane and the columns, where a statement has an
// instance in a part of a step, with a distance added.
func (w *streamer) instances(s int, step int64, part schedule.Part, distance []int64) *isl.Set {
	model := w.env.Model()
	program := model.Program
	conditions := w.of.InStep(program, s, w.coordinates(), step, part)
	for k, rows := range w.of.Space {
		row := rows[s]
		if distance != nil {
			row.Constant += distance[k]
		}
		conditions += fmt.Sprintf(" and %s = %s", row.Text(program.IteratorNames(s), program.Parameters), w.placeName(k))
	}
	set := model.Context.ReadSet(fmt.Sprintf("[%s] -> { %s : %s }", strings.Join(w.parameters(), ", "), program.InstanceText(s), conditions))
	return set.Intersect(model.Statements[s].Domain).Params()
}

// coordinates are the names of the tile's, as parameters.
func (w *streamer) coordinates() (names []string) {
	for k := range w.of.Sizes {
		names = append(names, fmt.Sprint("tune_l", k))
	}
	return names
}

// placeName is the name of the plane, or of a column, as a parameter.
func (w *streamer) placeName(k int) string {
	if k == w.said.Place {
		return "tune_p"
	}
	return columnName(k)
}

func (w *streamer) parameters() []string {
	names := append(slices.Clone(w.env.Model().Program.Parameters), w.coordinates()...)
	for k := range w.of.Space {
		names = append(names, w.placeName(k))
	}
	return names
}

// condition is an expression for a set of parameters, at a plane.
func (w *streamer) condition(set *isl.Set, plane *loopir.Expr) *loopir.Expr {
	values := map[string]*loopir.Expr{w.placeName(w.said.Place): plane}
	for k, name := range w.coordinates() {
		values[name] = w.values[k]
	}
	gist := set.Coalesce().Gist(w.known).Coalesce()
	if hull := gist.SimpleHull().ToSet(); len(gist.BasicSets()) > 1 {
		if same, err := hull.Intersect(w.known).IsSubset(set); same && err == nil {
			gist = hull
		}
	}
	return settled(expressionOf(isl.NewAstBuild(w.known).ExprFromSet(gist)).Substituted(values))
}
