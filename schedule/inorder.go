package schedule

import "polytune/scop"

// RunsInOrder says whether all that a node has, apart from its parts, is one loop, neither tiled
// nor shared by threads or lanes, along an iterator of some statements.
func (n *Node) RunsInOrder(p *scop.Program, statements []int, iterator int) bool {
	if len(n.Loops) != 1 || len(n.Parts) == 0 {
		return false
	}
	l := n.Loops[0]
	return !l.IsParallel() && !l.IsVector() && len(l.Terms) == 1 && l.Terms[0].Size <= 1 && IsIterator(p, statements, l.Terms[0].Rows, iterator)
}
