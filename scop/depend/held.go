package depend

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop/mark"
)

// checkHeld proves that a computed array that has memory for one execution of the code below a mark
// alone has the values that it had with memory of its own for each element: all dependences through
// it are between instances of one execution; in one execution all elements that are used are of one
// iteration of the array's loops; their subscripts are those of the memory, less origins that are the
// same for all; and no two executions that have the same memory are at the same time.
func (g *marksCheck) checkHeld(m mark.Held, node *isl.ScheduleNode, around []mark.Mark) error {
	computed := g.Model.Program.ComputedNamed(m.Array)
	if computed == nil || len(computed.Origins) != len(m.Origins) || len(computed.Extents) != len(m.Origins) {
		return fmt.Errorf("illegal schedule: the mark %q has memory for no array that is computed there", m)
	}
	if err := checkMemory(mark.Local{Array: m.Array, Own: true}, around); err != nil {
		return err
	}
	uses, err := g.contractedUses(node, mark.Local{Array: m.Array})
	if err != nil {
		return err
	}
	times := map[string]*isl.Map{}
	for _, own := range node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()).Maps() {
		times[own.TupleName(isl.DimIn)] = own
	}
	var elements *isl.Map
	for _, u := range uses {
		own := times[u.statement].Reverse().ApplyRange(u.elements)
		if elements != nil {
			own = elements.Union(own)
		}
		elements = own
	}
	if elements == nil {
		return fmt.Errorf("illegal schedule: nothing below the mark %q uses %s", m, m.Array)
	}
	iterations := elements.ProjectOut(isl.DimOut, computed.Loops, len(m.Origins))
	if one, err := iterations.IsSingleValued(); err != nil || !one {
		return errors.Join(err, fmt.Errorf("illegal schedule: %s has memory for one iteration, and one execution below the mark %q uses elements of several", m.Array, m))
	}
	if err := g.checkHeldBox(m, elements, computed.Loops, computed.Extents); err != nil {
		return err
	}
	return g.checkTogether(m.Array, node)
}

// checkHeldBox proves that the elements of one iteration are in its memory.
func (g *marksCheck) checkHeldBox(m mark.Held, elements *isl.Map, loops int, extents []string) error {
	names := numbered("tune_l", loops)
	subscripts := numbered("tune_e", len(extents))
	for d, origin := range m.Origins {
		below := g.Model.Context.ReadMap("{ [extent] -> [e] : 0 <= e < extent }")
		distance := g.Model.Context.ReadMap(fmt.Sprintf("%s{ %s[%s] -> [%s - (%s)] }", g.Model.Program.ParametersText(), m.Array,
			strings.Join(slices.Concat(names, subscripts), ", "), subscripts[d], origin.Text(names, g.Model.Program.Parameters)))
		all := elements.Range().Apply(distance)
		if fits, err := all.IsSubset(g.Model.Context.ReadSet(extents[d]).Apply(below)); err != nil || !fits {
			return errors.Join(err, fmt.Errorf("illegal schedule: the memory of %s for the mark %q has too few elements", m.Array, m))
		}
	}
	return nil
}

// checkTogether proves that all dependences through an array are between instances of one execution of
// the code below a node.
func (g *marksCheck) checkTogether(array string, node *isl.ScheduleNode) error {
	outer, err := g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()))
	if err != nil {
		return err
	}
	for _, d := range slices.Concat(g.Dependences, g.Relaxed) {
		if g.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array != array {
			continue
		}
		reason := fmt.Sprintf("%s has memory for one iteration of the loop alone, and it goes from one to another", array)
		if err := g.mustBeEmpty(d, d.Relation.Subtract(g.together(d, outer, outer)), reason); err != nil {
			return err
		}
	}
	return nil
}
