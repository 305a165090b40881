package device

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
)

// Refused are the statements that devices do not run, by their places, with the reason: what their
// language or their memory has not, and variables that the host computes in front of all kernels,
// which get their values.
func Refused(m *scop.Model) map[int]string {
	reasons := map[int]string{}
	n := &instances{words: newWords(m.Program), arrays: map[string]*Array{}, locals: map[string]bool{}, function: CUDA.Function}
	n.named = func(string) {}
	unknown := map[string]string{}
	for i := range m.Program.Arrays {
		array := &m.Program.Arrays[i]
		extents, err := extentsOf(m, array)
		if err != nil {
			unknown[array.Name] = err.Error()
		}
		n.arrays[array.Name] = &Array{Array: array, Extents: extents}
	}
	for i := range m.Statements {
		if reason := n.refusal(&m.Statements[i], unknown); reason != "" {
			reasons[i] = reason
		}
	}
	for _, i := range computedFirst(m.Program) {
		if reasons[i] == "" {
			reasons[i] = "it computes a number that kernels get"
		}
	}
	return reasons
}

// refusal says why a device cannot run a statement, "" where it can.
func (n *instances) refusal(s *scop.StatementModel, unknown map[string]string) string {
	for _, access := range s.Statement.Accesses {
		if reason := unknown[access.Array]; reason != "" {
			return reason
		}
	}
	r := &loopir.Run{Statement: s}
	for k := range s.Statement.Loops {
		r.At = append(r.At, &loopir.Expr{Kind: isl.AstID, Name: s.Statement.Loops[k].Iterator})
	}
	if _, err := n.instance(r); err != nil {
		return err.Error()
	}
	return ""
}

// computedFirst are the statements outside of all loops that compute variables of others such
// alone: no other statement writes what they access.
func computedFirst(p *scop.Program) (list []int) {
	for i := range p.Statements {
		isElement := slices.ContainsFunc(p.Statements[i].Accesses, func(a scop.Access) bool {
			array := p.Array(a.Array)
			return array == nil || len(array.Extents) > 0 || array.Local
		})
		if p.Statements[i].Depth() == 0 && !isElement {
			list = append(list, i)
		}
	}
	for changed := true; changed; {
		before := len(list)
		list = slices.DeleteFunc(list, func(i int) bool {
			return slices.ContainsFunc(p.Statements[i].Accesses, func(a scop.Access) bool { return isWrittenElsewhere(p, a.Array, list) })
		})
		changed = len(list) < before
	}
	return list
}

// isWrittenElsewhere says whether another statement than some writes an array.
func isWrittenElsewhere(p *scop.Program, array string, some []int) bool {
	for i := range p.Statements {
		writes := slices.ContainsFunc(p.Statements[i].Accesses, func(a scop.Access) bool { return a.Array == array && a.Write })
		if writes && !slices.Contains(some, i) {
			return true
		}
	}
	return false
}
