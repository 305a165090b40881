package stepwise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// Bounds for the search of legal commands: how often chance proposes lines of each kind, how many of
// these are tried, and how many of a kind are listed.
const (
	proposals   = 100
	mostTried   = 6
	mostOfAKind = 3
)

// legalAt lists commands that can be applied to a loop now so that the order is legal: for each
// kind those that chance proposes for the tree (see schedule.Spec.Random), tried one by one.
func (s *Session) legalAt(ctx context.Context, w io.Writer, name string) error {
	if s.now.tree == nil {
		return s.whole()
	}
	if name == "" {
		return errors.New("the name of a loop is missing; write legal LOOP")
	}
	n, k, err := s.now.tree.Loop(name)
	if err != nil {
		return err
	}
	var legal []string
	err = s.now.filled.Target.WithGraph(ctx, func(g *depend.Graph) error {
		for _, spec := range command.All.Specs() {
			found := 0
			for _, line := range s.proposed(g, spec, n.Loops[k].Name) {
				if found < mostOfAKind && s.isLegalBehind(g, line) {
					legal = append(legal, s.written(line))
					found++
				}
			}
		}
		return g.Model.Context.Err()
	})
	if err == nil && len(legal) == 0 {
		fmt.Fprintf(w, "no command that was tried is legal at %s\n", name)
	}
	for _, line := range legal {
		fmt.Fprintln(w, line)
	}
	return err
}

// proposed are commands of a kind that name a loop; none of kinds with rows, of which chance knows
// nothing that makes sense, and of those for what the code does not run on.
func (s *Session) proposed(g *depend.Graph, spec *schedule.Spec, own string) (lines []schedule.Command) {
	if spec.HasRows() || spec.On == schedule.Devices && !s.target.IsOnDevice() {
		return nil
	}
	random := rand.New(rand.NewPCG(1, 1))
	known := map[string]bool{}
	for range proposals {
		for _, c := range spec.Random(random, s.now.tree) {
			text := schedule.Text(c, s.now.tree.Program)
			if !known[text] && len(lines) < mostTried && strings.HasPrefix(text, spec.Word()+" ") && slices.Contains(strings.Fields(text), own) {
				known[text] = true
				lines = append(lines, c)
			}
		}
	}
	return lines
}

// isLegalBehind says whether the recipe with a command behind it is proven.
func (s *Session) isLegalBehind(g *depend.Graph, c schedule.Command) bool {
	_, _, err := append(slices.Clone(s.now.settled), c).Prove(g)
	return err == nil
}

// written is a command with names of the source.
func (s *Session) written(c schedule.Command) string {
	return schedule.Text(s.now.tree.InWrittenNames(c), s.now.tree.Program)
}
