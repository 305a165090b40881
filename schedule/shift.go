package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"polytune/scop"
)

// Shift has some statements of a node run later along a loop than others, by so many iterations (loop shifting, or retiming:
// Darte and Huard, "Loop shifting for loop compaction", 2000):
//
//	shift c0.1 S1 by 1
//
//	for c0.1 = k { S0[k]; S1[k] }  -->  for c0.1 = k { S0[k]; S1[k - 1] }
//
// So a statement meets, in one iteration, what another one does in the next. Iterations in which only some of the statements run,
// the first and the last ones, have code of their own, without conditions.
type Shift struct {
	Loop       string
	Statements []int
	By         int64
}

// mostShifted bounds the iterations, so that rows stay far from overflowing.
const mostShifted = 1024

// Name is the command's word.
func (Shift) Name() string { return "shift" }

// Apply changes the rows of the statements.
func (c Shift) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	switch {
	case c.By == 0 || max(c.By, -c.By) > mostShifted:
		return fmt.Errorf("a shift by %d iterations is none, or not between -%d and %[2]d", c.By, mostShifted)
	case l.Level > 0 || len(l.Terms) != 1 || l.Block:
		return fmt.Errorf("loop %q is no plain loop over points", l.Name)
	case l.IsParallel() || l.IsVector() || l.Unrolled || l.Registers != nil:
		return fmt.Errorf("loop %q is marked already; shift before", l.Name)
	}
	rows := maps.Clone(l.Terms[0].Rows)
	for _, s := range c.Statements {
		row, ok := rows[s]
		if !ok {
			return fmt.Errorf("statement %s is not inside loop %q", t.Program.Statements[s].Spelling(), l.Name)
		}
		row.Constant += c.By
		rows[s] = row
	}
	l.Terms, l.Shifted = []Term{{Rows: rows, Size: 1}}, true
	return nil
}

// Text is the command's line.
func (c Shift) Text(p *scop.Program) string {
	names := make([]string, len(c.Statements))
	for k, s := range c.Statements {
		names[k] = p.Statements[s].Spelling()
	}
	return fmt.Sprintf("shift %s %s by %d", c.Loop, strings.Join(names, " "), c.By)
}

// parseShift reads c0.1 S1 S2 by 1.
func parseShift(p *scop.Program, rest string) (Command, error) {
	words := strings.Fields(rest)
	by := slices.Index(words, "by")
	if by < 2 || by != len(words)-2 {
		return nil, fmt.Errorf("shifting is written: shift c0.1 S1 by 1")
	}
	c := Shift{Loop: words[0]}
	for _, name := range words[1:by] {
		s, err := statementIndex(p, name)
		if err != nil {
			return nil, err
		}
		c.Statements = append(c.Statements, s)
	}
	var err error
	if c.By, err = strconv.ParseInt(words[by+1], 10, 64); err != nil {
		return nil, fmt.Errorf("the number of iterations %q is not a number", words[by+1])
	}
	return c, nil
}
