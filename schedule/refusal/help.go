package refusal

import (
	"fmt"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// edit is one change of a recipe: lines behind the command that is at fault, in front of it, or in
// its place.
type edit struct {
	place editPlace
	lines []string
}

// editPlace is where a line goes.
type editPlace int

const (
	behind editPlace = iota
	inFront
	instead
)

// words say where, to people.
var words = map[editPlace]string{behind: "legal behind it: ", inFront: "legal in front of it: ", instead: "legal in its place: "}

// andThen stands between several lines that go there together.
const andThen = ", and then "

// help is one line that makes the recipe legal, "" where none of those that are tried does.
func (w *wrong) help() string {
	for _, e := range w.edits() {
		if w.isLegal(e) {
			return words[e.place] + strings.Join(e.lines, andThen)
		}
	}
	return w.reassociated()
}

// edits are those that may help, likely ones first.
func (w *wrong) edits() (list []edit) {
	switch {
	case w.meeting == nil || w.meeting.loop == nil:
		return nil
	case w.violation.Fault == depend.Backwards:
		return append(w.shifts(), w.skews()...)
	}
	return slices.Concat(w.clauses(), w.otherLoops(), w.innerLoops(), w.wavefronts(), w.innerWavefronts(), w.distributions())
}

// clauses are the one under which a loop may carry updates that may run in any order.
func (w *wrong) clauses() (list []edit) {
	if w.violation.Dependence.Relaxed == nil {
		return nil
	}
	for _, line := range withClause(w.graph.Model.Program, w.violation.Dependence, w.line()) {
		list = append(list, edit{instead, []string{line}})
	}
	return list
}

// mostShifted bounds the shifts and factors that are tried.
const mostShifted = 8

// shifts have the target run later along the loop that runs it too early.
func (w *wrong) shifts() (list []edit) {
	d := w.violation.Dependence
	if d.Source == d.Target || w.meeting.loop.Level > 0 {
		return nil
	}
	p := w.graph.Model.Program
	for by := max(1, w.meeting.source-w.meeting.target); by <= mostShifted; by++ {
		list = append(list, edit{behind, []string{schedule.Text(command.Shift{Loop: w.nameFor(w.meeting.loop, d.Target), Statements: []int{d.Target}, By: by}, p)}})
	}
	return list
}

// skews add multiples of loops outside to the loop that runs the target too early.
func (w *wrong) skews() (list []edit) {
	name := strings.TrimRight(w.meeting.loop.Name, "t")
	place := slices.IndexFunc(w.meeting.node.Loops, func(l *schedule.Loop) bool { return l.Name == name })
	written := w.tree.Written(name)
	for factor := int64(1); factor <= mostShifted/2 && place >= 0; factor++ {
		for _, along := range w.meeting.node.Loops {
			if along.Level == 0 && along.Name != name {
				list = append(list, edit{inFront, []string{schedule.Text(command.Skew{Loop: written, Factor: factor, Along: w.loopName(along)}, w.graph.Model.Program)}})
			}
		}
	}
	return list
}

// otherLoops give the command another loop around the same statements, the outermost first for
// threads, the innermost for lanes.
func (w *wrong) otherLoops() (list []edit) {
	own := w.meeting.loop
	if w.with(own, "") == "" {
		return nil
	}
	loops := slices.Concat(w.tree.Outside(w.meeting.node), w.meeting.node.Loops)
	if _, isVector := w.violation.Mark.(mark.Vector); isVector {
		slices.Reverse(loops)
	}
	for _, l := range loops {
		if l != own {
			list = append(list, edit{instead, []string{w.with(own, w.loopName(l))}})
		}
	}
	return list
}

// innerLoops give the command, in the place of the loop, the first loop of each part inside, where
// there is one: code of a part runs in one iteration of the loop.
func (w *wrong) innerLoops() []edit {
	var names []string
	for _, part := range w.meeting.node.Parts {
		if len(part.Loops) == 0 {
			return nil
		}
		names = append(names, w.loopName(part.Loops[0]))
	}
	if line := w.with(w.meeting.loop, strings.Join(names, " ")); line != "" && len(names) > 0 {
		return []edit{{instead, []string{line}}}
	}
	return nil
}

// innerWavefronts have a wavefront of the loop with the one right inside carry what it carries, if
// need be behind a skew, and give the command the loop inside.
func (w *wrong) innerWavefronts() (list []edit) {
	inside := w.rightInside()
	if inside == nil {
		return nil
	}
	p, own, inner := w.graph.Model.Program, w.loopName(w.meeting.loop), w.loopName(inside)
	line := w.with(w.meeting.loop, inner)
	if line == "" {
		return nil
	}
	wave := schedule.Text(command.Wavefront{Loops: []string{own, inner}}, p)
	list = append(list, edit{instead, []string{wave, line}})
	for factor := int64(1); factor <= mostWavefrontSkew; factor++ {
		skew := schedule.Text(command.Skew{Loop: inner, Factor: factor, Along: own}, p)
		list = append(list, edit{instead, []string{skew, wave, line}})
	}
	return list
}

// mostWavefrontSkew bounds the factors of skews in front of wavefronts that are tried.
const mostWavefrontSkew = 2

// rightInside is the loop right inside of the one that is at fault, of the same node; nil for none.
func (w *wrong) rightInside() *schedule.Loop {
	loops := w.meeting.node.Loops
	if place := slices.Index(loops, w.meeting.loop); place >= 0 && place+1 < len(loops) && loops[place+1].Level == w.meeting.loop.Level {
		return loops[place+1]
	}
	return nil
}

// wavefronts have the loops right outside carry what the loop carries, if need be behind a skew.
func (w *wrong) wavefronts() (list []edit) {
	loops := w.meeting.node.Loops
	place := slices.Index(loops, w.meeting.loop)
	for first := place - 1; first >= 0 && loops[first].Level == w.meeting.loop.Level; first-- {
		var names []string
		for _, l := range loops[first : place+1] {
			names = append(names, w.loopName(l))
		}
		list = append(list, edit{inFront, []string{schedule.Text(command.Wavefront{Loops: names}, w.graph.Model.Program)}})
	}
	if len(list) > 0 {
		wave, outside := list[0].lines[0], w.loopName(loops[place-1])
		for factor := int64(1); factor <= mostWavefrontSkew; factor++ {
			skew := schedule.Text(command.Skew{Loop: w.loopName(w.meeting.loop), Factor: factor, Along: outside}, w.graph.Model.Program)
			list = append(list, edit{inFront, []string{skew, wave}})
		}
	}
	return list
}

// distributions move the loop, and those inside it, into the parts that depend on each other.
func (w *wrong) distributions() []edit {
	n := w.meeting.node
	if len(n.Parts) == 0 {
		return nil
	}
	var names []string
	for _, l := range n.Loops[slices.Index(n.Loops, w.meeting.loop):] {
		names = append(names, w.loopName(l))
	}
	text := schedule.Text(command.Distribute{Loops: names}, w.graph.Model.Program)
	var list []edit
	for _, part := range n.Parts {
		if line := w.with(w.meeting.loop, command.InPart(w.meeting.loop.Name, part.Name)); line != "" {
			list = append(list, edit{instead, []string{text, line}})
		}
	}
	return list
}

// line is the command that is at fault.
func (w *wrong) line() string { return w.of(w.at).Text }

// with is the command that is at fault with another loop in the place of one, "" where it does not
// name that.
func (w *wrong) with(loop *schedule.Loop, other string) string {
	words := strings.Fields(w.line())
	place := slices.IndexFunc(words, func(word string) bool {
		n, k, err := w.tree.Loop(word)
		return err == nil && n.Loops[k] == loop
	})
	if place < 0 {
		return ""
	}
	words[place] = other
	return strings.Join(words, " ")
}

// edited is the recipe's text with a change.
func (w *wrong) edited(e edit) string {
	var lines []string
	for k, line := range w.Lines {
		own := e.lines
		switch {
		case k != w.at:
			own = []string{line.Text}
		case e.place == behind:
			own = append([]string{line.Text}, own...)
		case e.place == inFront:
			own = append(slices.Clip(own), line.Text)
		}
		lines = append(lines, own...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// isLegal says whether the recipe is proven with a change.
func (w *wrong) isLegal(e edit) bool {
	return proves(w.graph, w.read, w.edited(e))
}

// proves says whether a text is a recipe that a proof on the graph finds legal.
func proves(g *depend.Graph, read Read, text string) bool {
	recipe, err := read(g.Model.Program, text)
	if err != nil {
		return false
	}
	settled, _, err := recipe.Settled(g)
	if err != nil {
		return false
	}
	return settled.Check(g) == nil
}

// reassociated is the help of doing reductions in any order, where the dependence is between
// updates of one and the recipe is legal so.
func (w *wrong) reassociated() string {
	m, d := w.graph.Model, w.violation.Dependence
	if m.Program.Reassociate || !depend.IsUpdate(m.Program, d) {
		return ""
	}
	program := m.Program.Reassociated()
	model, err := program.Model(m.Context)
	if err != nil {
		return ""
	}
	g, err := depend.Analyze(model)
	if err != nil {
		return ""
	}
	line := w.line()
	for _, text := range append([]string{line}, withClause(program, d, line)...) {
		first := schedule.Text(command.Reassociate{}, program)
		if proves(g, w.read, first+"\n"+w.edited(edit{instead, []string{text}})) {
			if text == line {
				return "legal with reductions in any order: " + first + " as the first line"
			}
			return fmt.Sprintf("legal with reductions in any order: %s as the first line, and here %s", first, text)
		}
	}
	return ""
}

// withClause is the line with the clause under which the dependence may be carried.
func withClause(p *scop.Program, d *depend.Dependence, line string) []string {
	reduction := p.Statements[d.Source].Reduction.At(d.SourceAccess)
	if reduction == nil || strings.Contains(line, reduction.Clause().String()) {
		return nil
	}
	return []string{line + " " + reduction.Clause().String()}
}
