package codegen

import (
	"slices"

	"polytune/loopir"
	"polytune/scop/mark"
)

// allocation is the memory for all copies of an array inside some code.
type allocation struct {
	array  string
	memory loopir.Code
}

// allocating is code with memory for the copies of an array inside; that of a computed array is
// declared where variables are.
func (n *copier) allocating(marked *loopir.Marked, m mark.Allocate) loopir.Stmt {
	if n.model.Program.ComputedNamed(m.Array) != nil {
		n.code(marked.Body)
		return marked
	}
	a := &allocation{array: m.Array}
	n.allocations = append(n.allocations, a)
	n.code(marked.Body)
	n.allocations = n.allocations[:len(n.allocations)-1]
	if n.note(m, len(a.memory) > 0, "no copy of "+m.Array+" inside has memory of that iteration's"); len(a.memory) == 0 {
		return marked
	}
	return &loopir.Copies{Memory: a.memory, Body: marked.Body}
}

// memoryFor makes memory for a copy: around all copies of the array where a mark says so, else where it
// stands.
func (n *copier) memoryFor(c *copying) loopir.Code {
	memory := n.copyMemory(c)
	for _, a := range slices.Backward(n.allocations) {
		if a.array != c.Array {
			continue
		}
		for _, s := range memory {
			isSame := func(other loopir.Stmt) bool { return other.(*loopir.Alloc).Name == s.(*loopir.Alloc).Name }
			if !slices.ContainsFunc(a.memory, isSame) {
				a.memory = append(a.memory, s)
			}
		}
		return nil
	}
	return memory
}
