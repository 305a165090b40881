package foreign

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
)

// readWays notes how the members of bands are to run, from a node on behind so many times: those
// that carry no dependence, as PPCG says, and those below marks, as this program prints them. asked
// is what marks above the node say.
func (s *Schedule) readWays(n *isl.ScheduleNode, behind int, asked way) {
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
				s.note(n.Domain(), behind+k, own)
			}
		}
		behind, asked = behind+members, way{}
	case isl.NodeSequence, isl.NodeSet:
		behind++
	}
	for _, child := range children {
		s.readWays(child, behind, asked)
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
	add := func(word, loop string) {
		if text := fmt.Sprintf("try %s %s", word, loop); !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	made := recipe[len(recipe)-1].(command.Schedule)
	for k, statement := range of {
		loops := loopsAround(tree, k)
		isParallel := false
		for place, time := range made.Counted(k) {
			runs := statement.runs[time]
			if runs.parallel && !isParallel {
				add("parallel", loops[place].Name)
				isParallel = true
			}
			if runs.vector {
				add("vectorize", loops[place].Name)
			}
		}
	}
	return lines, nil
}

// loopsAround are the loops around a statement, outermost first.
func loopsAround(t *schedule.Tree, s int) []*schedule.Loop {
	for _, n := range t.Classes {
		if slices.Contains(n.Statements, s) {
			return append(slices.Clip(n.Loops), n.LoopsInParts(s)...)
		}
	}
	return nil
}
