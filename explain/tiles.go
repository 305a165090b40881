package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/internal/usage"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/report/figure"
	"polytune/schedule"
	"polytune/scop/depend"
)

// Tiles is a picture of the tiles of a variant in time and the first dimension of space, as SVG:
// those of the first class that has any. One tile has its instances and their dependences. It is a
// mistake of the user's to ask for it where there are none.
func Tiles(ctx context.Context, t *pipeline.Target, v variant.Variant) (svg string, err error) {
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		tree, err := v.Recipe.Replay(g.Model.Program)
		if err != nil {
			return err
		}
		node := hexagonal(tree.Classes)
		if node == nil {
			return usage.Mistake(errors.New("--tiles: the variant has no tiles in time and space; ask for them with --hexagon"))
		}
		tiling, err := drawn(g, node)
		if err != nil {
			return err
		}
		tiling.Title = t.Name + ": " + tiling.Title
		svg = figure.Tiles(tiling)
		return nil
	})
	return svg, err
}

// hexagonal is the first node that is a phase of hexagonal tiles; nil for none.
func hexagonal(nodes []*schedule.Node) *schedule.Node {
	for _, n := range nodes {
		if _, is := n.Phase.(*schedule.HexagonPhase); is {
			return n
		}
		if found := hexagonal(n.Parts); found != nil {
			return found
		}
	}
	return nil
}

// drawn are the tiles around one of a node's hexagons, with its dependences.
func drawn(g *depend.Graph, node *schedule.Node) (*figure.Tiling, error) {
	shape := node.Phase.(*schedule.HexagonPhase).Of
	d := drawing{g, shape, node.Statements, stepsOf(shape, node.Statements)}
	tiling := &figure.Tiling{
		Title: fmt.Sprintf("hexagons of %d steps, at least %d wide, slopes %s and %s", 2*shape.Sizes[0], shape.Sizes[1], shape.Slopes[0], shape.Slopes[1]),
		Time:  "time: " + d.rowsText(shape.Time),
		Space: "first dimension of space: " + d.rowsText(shape.Space[0]),
		Rows:  d.names(),
	}
	for phase := range schedule.HexagonPhases {
		for time := range int64(3) {
			for space := range int64(5) {
				tiling.Tiles = append(tiling.Tiles, d.tile(phase, time, space))
			}
		}
	}
	focus := d.tile(1, 1, 2)
	isFocus := func(t figure.PhaseTile) bool {
		return t.Phase == 1 && t.Step == focus.Step && slices.Equal(t.Rows, focus.Rows)
	}
	tiling.Tiles = slices.Insert(slices.DeleteFunc(tiling.Tiles, isFocus), 0, focus)
	var err error
	tiling.Arrows, err = d.arrows(focus)
	return tiling, err
}

// drawing is what a picture of hexagons is made of.
type drawing struct {
	graph      *depend.Graph
	shape      *schedule.Hexagon
	statements []int
	// steps is the number of steps for an iteration of the loop over time.
	steps int64
}

// stepsOf is the factor of the rows of time.
func stepsOf(shape *schedule.Hexagon, statements []int) int64 {
	return max(1, slices.Max(shape.Time[statements[0]].Iterators))
}

// at is the number of a statement's step among those of an iteration.
func (d *drawing) at(s int) int64 {
	return (d.shape.Time[s].Constant%d.steps + d.steps) % d.steps
}

// names are those of the statements that run at each of the steps.
func (d *drawing) names() []string {
	names := make([]string, d.steps)
	for _, s := range d.statements {
		names[d.at(s)] = strings.TrimSpace(names[d.at(s)] + " " + d.graph.Model.Program.Statements[s].Name)
	}
	return names
}

// rowsText are rows by what they say: "2t for S0, 2t + 1 for S1", or "t" where all say the same.
func (d *drawing) rowsText(rows map[int]schedule.Row) string {
	var texts []string
	of := map[string][]string{}
	for _, s := range d.statements {
		text := rows[s].Text(d.graph.Model.Program.IteratorNames(s), d.graph.Model.Program.Parameters)
		if of[text] == nil {
			texts = append(texts, text)
		}
		of[text] = append(of[text], d.graph.Model.Program.Statements[s].Name)
	}
	if len(texts) == 1 {
		return texts[0]
	}
	for k, text := range texts {
		texts[k] = text + " for " + strings.Join(of[text], " ")
	}
	return strings.Join(texts, ", ")
}

// tile is a hexagon.
func (d *drawing) tile(phase int, time, space int64) figure.PhaseTile {
	step, place := d.shape.Corner(phase, time, space)
	t := figure.PhaseTile{Phase: phase, Step: step}
	for a := range 2 * d.shape.Sizes[0] {
		first, last := d.shape.Row(a)
		t.Rows = append(t.Rows, figure.TileRow{First: place + first, Last: place + last})
	}
	return t
}

// arrows are the dependences of the instances of a tile.
func (d *drawing) arrows(tile figure.PhaseTile) (arrows []figure.Arrow, err error) {
	distances, err := d.distances()
	if err != nil {
		return nil, err
	}
	isIn := func(step, place int64) bool {
		k := step - tile.Step
		return k >= 0 && k < int64(len(tile.Rows)) && place >= tile.Rows[k].First && place <= tile.Rows[k].Last
	}
	for a, row := range tile.Rows {
		step := tile.Step + int64(a)
		for place := row.First; place <= row.Last; place++ {
			for _, distance := range distances[(step%d.steps+d.steps)%d.steps] {
				from := figure.Arrow{FromStep: step - distance[0], FromPlace: place - distance[1], Step: step, Place: place}
				from.Inside = isIn(from.FromStep, from.FromPlace)
				arrows = append(arrows, from)
			}
		}
	}
	return arrows, nil
}

// mostDistances bounds the distances of one dependence.
const mostDistances = 64

// distances are those of the dependences of what runs at each of the steps, in time and the first
// dimension of space, without those of several dependences together.
func (d *drawing) distances() (map[int64][][2]int64, error) {
	found := map[int64][][2]int64{}
	for _, dependence := range depend.Distinct(d.graph.Within(d.statements)) {
		points, err := d.distancesOf(dependence)
		if err != nil {
			return nil, err
		}
		at := d.at(dependence.Target)
		for _, point := range points {
			if distance := [2]int64{point[0], point[1]}; !slices.Contains(found[at], distance) {
				found[at] = append(found[at], distance)
			}
		}
	}
	least := map[int64][][2]int64{}
	for at, list := range found {
		for _, distance := range list {
			if !isSum(distance, at, d.steps, found) {
				least[at] = append(least[at], distance)
			}
		}
	}
	return least, nil
}

// isSum says whether a distance to a step is that of one dependence and of one that leads to where
// this comes from.
func isSum(distance [2]int64, at, steps int64, found map[int64][][2]int64) bool {
	for _, last := range found[at] {
		from := ((at-last[0])%steps + steps) % steps
		if slices.Contains(found[from], [2]int64{distance[0] - last[0], distance[1] - last[1]}) {
			return true
		}
	}
	return false
}

// distancesOf are those of one dependence, as far as they reach no further than a tile.
func (d *drawing) distancesOf(dependence *depend.Dependence) ([][]int64, error) {
	model := d.graph.Model
	at := func(s int) *isl.Map {
		p := model.Program
		names := p.IteratorNames(s)
		return model.Context.ReadMap(fmt.Sprintf("%s{ %s -> [%s, %s] }", p.ParametersText(), p.InstanceText(s), d.shape.Time[s].Text(names, p.Parameters), d.shape.Space[0][s].Text(names, p.Parameters)))
	}
	deltas := at(dependence.Source).Reverse().ApplyRange(dependence.Relation).ApplyRange(at(dependence.Target)).Deltas()
	deltas = deltas.ProjectOut(isl.DimParam, 0, len(model.Program.Parameters))
	near := model.Context.ReadSet(fmt.Sprintf("{ [t, s] : 0 < t <= %d and -%d <= s <= %[2]d }", 2*d.shape.Sizes[0], 2*d.shape.Sizes[0]+2*d.shape.Sizes[1]))
	return deltas.Intersect(near).Points(mostDistances)
}
