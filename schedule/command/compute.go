package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// Compute computes what a statement writes inside each iteration of a loop whose statements read it:
// exactly the instances whose values are used there, in memory of the iteration's own that is as
// large as they need:
//
//	compute S0 at c1.1t
//
//	for c0.1 S0: x[c0.1] = …              for c1.1t {
//	for c1.1t                               for c1_0.2 S0: own[…] = …
//	  for c1.1 S1: y[…] = x[…] + …   -->    for c1.1 S1: y[…] = own[…] + …
//	                                      }
//
// Instances that several iterations need run in each of them: tiles overlap (Tiramisu's compute_at,
// CGO'19, Table II and Figure 3a; Halide's compute_at). The statement itself stays where somebody else
// needs what it writes, and the new one is called S0.1; else the new one has its name. What runs is
// another program, of which depend.Compute proves that it computes the same; that the order is one
// of that program is proven as of any.
type Compute struct {
	Statement int
	Loop      string
}

var _ = All.Add(schedule.Spec{
	Syntax:  "compute STATEMENT at LOOP",
	Doc:     "the computation of a statement where it is read",
	Example: "compute S0 at c1.1t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Compute{} },
	Random:  randomCompute,
	Say:     sayCompute,
})

// Rewrites says that the program is another one behind it.
func (Compute) Rewrites() {}

// Apply makes the other program, and gives the statement its loops inside of the loop.
func (c Compute) Apply(t *schedule.Tree) error {
	if err := mayRewrite(t, c.Statement, "compute"); err != nil {
		return err
	}
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	name := t.Program.Statements[c.Statement].Spelling()
	if slices.Contains(n.Statements, c.Statement) {
		return fmt.Errorf("%s runs inside of %q already; name a loop around statements that read what it writes, and not around itself", name, c.Loop)
	}
	around := append(t.Outside(n), n.Loops[:place+1]...)
	at, err := iterationsOf(t, n, around)
	if err != nil {
		return err
	}
	made := *t
	err = made.Rewrite(fmt.Sprint("compute ", c.Statement, " ", at), func(m *scop.Model) (*scop.Program, error) { return depend.Compute(m, c.Statement, at) })
	if err != nil {
		return err
	}
	computed := made.Program.Computed[len(made.Program.Computed)-1]
	times, err := made.Program.Times()
	if err != nil {
		return err
	}
	*t = made
	if computed.Statement == c.Statement {
		t.Remove(c.Statement)
	}
	return c.insert(t, computed, times[computed.Statement])
}

// iterationsOf are the values of the loops around the statements of a node, as texts of isl.
func iterationsOf(t *schedule.Tree, n *schedule.Node, around []*schedule.Loop) (at depend.Iterations, err error) {
	at.Values = map[int]string{}
	for _, s := range n.Statements {
		var values []string
		for _, l := range around {
			if len(l.Terms) != 1 || l.Terms[0].Factor > 1 {
				return at, fmt.Errorf("loop %q is a wavefront, or one over tiles in time; compute before", l.Name)
			}
			row := l.Terms[0].Rows[s].Text(t.Program.IteratorNames(s), t.Program.Parameters)
			if size := l.Terms[0].Size; size > 1 {
				row = fmt.Sprintf("floor((%s)/%d)", row, size)
			}
			values = append(values, row)
		}
		at.Values[s] = fmt.Sprintf("%s{ %s -> [%s] }", t.Program.ParametersText(), t.Program.InstanceText(s), strings.Join(values, ", "))
	}
	for _, l := range around {
		at.Loops = append(at.Loops, scop.Loop{Iterator: iteratorOf(l), Type: "long"})
	}
	return at, nil
}

// iteratorOf is a name in C that tells people which loop's value an iterator is.
func iteratorOf(l *schedule.Loop) string {
	if l.Given != "" {
		return l.Given
	}
	return strings.ReplaceAll(l.Name, ".", "_")
}

// insert puts the statement that computes an array in front of everything inside of the loop. rows
// are those of its loops.
func (c Compute) insert(t *schedule.Tree, computed scop.Computed, rows []schedule.Row) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	s := computed.Statement
	own := rows[:len(rows)-computed.Loops]
	t.Divide(n, place+1)
	number := 0
	for _, outer := range t.NodesAround(n.Statements[0]) {
		for k, l := range outer.Loops {
			outer.Loops[k] = joinedLoop(t.Program, l, s, len(own)+number)
			number++
		}
		outer.Statements = append(slices.Clip(outer.Statements), s)
		if outer == n {
			break
		}
	}
	inside := &schedule.Node{Name: t.FreshNodes(n.Name)(), Statements: []int{s}, Depth: n.Depth}
	for k, row := range own {
		inside.Depth++
		l := &schedule.Loop{Name: t.FreshLoop(fmt.Sprintf("%s.%d", inside.Name, inside.Depth)), Of: map[int]int{s: k}, Band: k, Terms: []schedule.Term{{Rows: map[int]schedule.Row{s: row}, Size: 1}}}
		inside.Loops = append(inside.Loops, l)
	}
	inside.Bands = len(own)
	n.Parts = append([]*schedule.Node{inside}, n.Parts...)
	hold(n.Loops[place], computed.Array)
	t.Merge()
	return nil
}

// joinedLoop is a loop that runs a further statement, in the iteration that one of its iterators says.
func joinedLoop(p *scop.Program, l *schedule.Loop, s, iterator int) *schedule.Loop {
	joined := *l
	joined.Terms = slices.Clone(l.Terms)
	row := schedule.Row{Iterators: make([]int64, p.Statements[s].Depth()), Parameters: make([]int64, len(p.Parameters))}
	row.Iterators[iterator] = max(1, l.Terms[0].Size)
	joined.Join(s, row, nil)
	return &joined
}

// hold has the memory of a computed array be made in each iteration of a loop.
func hold(l *schedule.Loop, array string) { l.Ask(held{array}) }

// held is a request for the memory of a computed array.
type held struct{ Array string }

// withoutHeld is a loop without the memory of computed arrays.
func withoutHeld(l *schedule.Loop) *schedule.Loop {
	own := *l
	own.Requests = slices.DeleteFunc(slices.Clone(l.Requests), func(r schedule.Request) bool {
		_, is := r.(held)
		return is
	})
	return &own
}

// Stands is below the loop.
func (held) Stands() schedule.Standing { return schedule.WithMemory }

// Marks have the subscripts of the first element.
func (h held) Marks(at *schedule.Place) []mark.Mark {
	return []mark.Mark{mark.Held{Loop: at.Loop.Name, Array: h.Array, Origins: at.Tree.Program.ComputedNamed(h.Array).Origins}}
}

func (h held) array() string { return h.Array }

// randomCompute is a statement at a loop that does not run it.
func randomCompute(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	s := random.IntN(len(t.Program.Root().Statements))
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Compute{Statement: s, Loop: loop})
	}
	return commands
}

// sayCompute says what is computed in each iteration of a loop.
func sayCompute(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, array := range arraysAt[held](l) {
		text := "with " + array + " computed again in each iteration that needs it"
		phrases = append(phrases, schedule.Say(schedule.AboutCopies, text)...)
	}
	return phrases
}
