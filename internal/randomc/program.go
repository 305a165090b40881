// Package randomc makes random C programs of the kind that people write: values of variables in
// steps, loops of all forms, pointers that walk, functions, structs, jumps. They are trees of text,
// which can be made smaller, and whole programs: their main calls the function with the region at
// several sizes and prints what is left in all data.
//
// The programs are meant to have no undefined behaviour: ranges of integers are followed while
// statements are drawn, and arrays are as long as their subscripts ask for. Nobody proves that: a
// program with which something fails has to be run with sanitizers first.
//
// # Where to find what
//
//   - in front of the region: front.go; statements: statement.go, idiom.go; loops: loop.go; indices
//     in steps: steps.go; pointers: pointer.go; what values integers have: interval.go
//   - made smaller: shrink.go
//   - who runs them: cmd/fuzz/written.go, cmd/fuzz/written/check.go, build.go
package randomc

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is a C program in pieces.
type Program struct {
	Seed uint64
	// Pieces are the file's text from the first line to the last.
	Pieces []*Node
}

// Node is a line, a statement or a block: Head is in front of what is inside, Tail behind it. Both
// may be empty.
type Node struct {
	Head string  `json:",omitempty"`
	Body []*Node `json:",omitempty"`
	Tail string  `json:",omitempty"`
}

// Source is the program's text.
func (p *Program) Source() string {
	var b strings.Builder
	for _, n := range p.Pieces {
		n.write(&b, 0)
	}
	return b.String()
}

// write writes the node with its depth as indentation; lines that begin with # have none.
func (n *Node) write(b *strings.Builder, depth int) {
	line := func(text string) {
		if text == "" {
			return
		}
		for one := range strings.Lines(text) {
			one = strings.TrimSuffix(one, "\n")
			if !strings.HasPrefix(one, "#") && one != "" {
				b.WriteString(strings.Repeat("    ", depth))
			}
			b.WriteString(one + "\n")
		}
	}
	line(n.Head)
	inside := depth + 1
	if n.Head == "" {
		inside = depth
	}
	for _, child := range n.Body {
		child.write(b, inside)
	}
	line(n.Tail)
}

// lineOf is one statement, or a line of anything else.
func lineOf(format string, arguments ...any) *Node {
	return &Node{Head: fmt.Sprintf(format, arguments...)}
}

// block is what stands in braces behind a head.
func block(head string, body []*Node) *Node {
	return &Node{Head: strings.TrimSpace(head + " {"), Body: body, Tail: "}"}
}

// group is several nodes in the place of one.
func group(nodes ...*Node) *Node { return &Node{Body: nodes} }

// New is the program of a seed.
func New(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 91))}
	return &Program{Seed: seed, Pieces: g.file()}
}
