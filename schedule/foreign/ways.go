package foreign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
)

// readWays notes how the members of bands are to run, from a node on behind so many times: those
// that carry no dependence, as PPCG says, and those below marks, as this program prints them. asked
// is what marks above the node say, and stand says what instances stand for.
func (s *Schedule) readWays(n *isl.ScheduleNode, behind int, asked way, stand expansions) {
	children := n.Children()
	switch n.Type() {
	case isl.NodeMark:
		word, _, _ := strings.Cut(n.MarkName(), " ")
		asked.parallel = asked.parallel || word == "parallel"
		asked.vector = asked.vector || word == "vector"
	case isl.NodeBand:
		members := n.BandMembers()
		for k := range members {
			coincident, err := n.BandMemberCoincident(k)
			if err != nil {
				return
			}
			own := way{parallel: coincident}
			if k == 0 {
				own.parallel, own.vector = own.parallel || asked.parallel, asked.vector
			}
			if own != (way{}) {
				s.note(stand.of(n.Domain()), behind+k, own)
			}
		}
		behind, asked = behind+members, way{}
	case isl.NodeSequence, isl.NodeSet:
		behind++
	}
	for _, child := range children {
		s.readWays(child, behind, asked, stand)
	}
}

// note notes how a loop runs that counts the time with this number of the statements of instances.
func (s *Schedule) note(instances *isl.UnionSet, time int, w way) {
	for _, set := range instances.Sets() {
		for _, statement := range s.statements {
			if statement.name == set.TupleName() {
				statement.runs[time] = w
			}
		}
	}
}

// ways are the commands that have loops of a schedule run as the file asks: the outermost loop of
// each nest that is to be parallel, and those over lanes. Each is left out where it is not legal.
func ways(p *scop.Program, line string, of []*statement) (lines []string, err error) {
	recipe, err := command.Parse(p, command.Beginning(p).Text(p)+line+"\n")
	if err != nil {
		return nil, err
	}
	tree, err := recipe.Replay(p)
	if err != nil {
		return nil, err
	}
	w := &waysOf{of: of, places: recipe[len(recipe)-1].(command.Schedule).Places(tree.Program)}
	w.visit(tree.Classes, map[int]bool{})
	return w.lines, nil
}

// waysOf finds the commands for the loops of a tree: of are the statements of the file, places those
// of the values that loops count.
type waysOf struct {
	of     []*statement
	places map[string]int
	lines  []string
}

// visit looks at nodes below loops that are parallel for some statements.
func (w *waysOf) visit(nodes []*schedule.Node, isParallel map[int]bool) {
	for _, n := range nodes {
		own := maps.Clone(isParallel)
		for _, l := range n.Loops {
			for _, s := range n.Statements {
				runs := w.of[s].runs[w.places[l.Name]]
				if runs.parallel && !own[s] {
					w.add("parallel", l.Name)
					own[s] = true
				}
				if runs.vector {
					w.add("vectorize", l.Name)
				}
			}
		}
		w.visit(n.Parts, own)
	}
}

func (w *waysOf) add(word, loop string) {
	if text := fmt.Sprintf("try %s %s", word, loop); !slices.Contains(w.lines, text) {
		w.lines = append(w.lines, text)
	}
}
