package schedule

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// mostRewriteOperations and mostRewriteTime bound the work of isl for one command that makes another
// program.
const mostRewriteOperations, mostRewriteTime = 12_000_000, 10 * time.Second

// Rewrite has the tree be one of another program, which make makes of a model of the tree's. What
// says all that this depends on besides the program: a recipe that is replayed has the same program
// again. Statements keep their places, and further ones are behind them.
func (t *Tree) Rewrite(what string, make func(m *scop.Model) (*scop.Program, error)) error {
	made, err := rewritings.of(t.Program, what, make)
	if err != nil {
		return err
	}
	t.Program = made
	return nil
}

// Rewriter is a command that makes another program, of which the ones behind it are.
type Rewriter interface {
	Command
	// Rewrites says that it is one.
	Rewrites()
}

// rewrites says whether a command makes another program.
func rewrites(c Command) bool {
	if open, is := c.(Open); is {
		c = open.Command
	}
	_, is := c.(Rewriter)
	return is
}

// programs are those that the recipe's commands are of, in which their statements have names: that of
// the recipe, and behind a command that makes another one that.
func (r Recipe) programs(p *scop.Program) []*scop.Program {
	list, now := make([]*scop.Program, len(r)), p.Root()
	for k, c := range r {
		list[k] = now
		if rewrites(c) {
			now = r[:k+1].programBehind(p, now)
		}
	}
	return list
}

// programBehind is the program that the recipe makes, another one where it cannot be applied.
func (r Recipe) programBehind(p, otherwise *scop.Program) *scop.Program {
	t := NewTree(p)
	for _, c := range r {
		if t.Do(c) != nil {
			return otherwise
		}
	}
	return t.Program
}

// line is the text of the k-th command.
func (r Recipe) line(p *scop.Program, k int) string { return Text(r[k], r[:k+1].programs(p)[k]) }

// rewritings are the programs that commands have made lately, of whatever recipe.
var rewritings rewritten

// mostRewritings is how many programs are kept.
const mostRewritings = 128

// rewritten keeps programs, the latest last.
type rewritten struct {
	lock  sync.Mutex
	known map[rewriting]outcome
	order []rewriting
}

// rewriting is what is made of which program.
type rewriting struct {
	of   *scop.Program
	what string
}

type outcome struct {
	program *scop.Program
	err     error
}

// of is the program that is made of another one, as it was made before where it was.
func (r *rewritten) of(p *scop.Program, what string, make func(m *scop.Model) (*scop.Program, error)) (*scop.Program, error) {
	key := rewriting{p, what}
	r.lock.Lock()
	known, is := r.known[key]
	r.lock.Unlock()
	if is {
		return known.program, known.err
	}
	context := isl.NewContext()
	defer context.Close()
	defer context.Limit(mostRewriteOperations, mostRewriteTime)()
	m, err := p.Model(context)
	if err == nil {
		known.program, err = make(m)
	}
	if known.err = err; isl.IsLimit(err) {
		return nil, fmt.Errorf("isl needs too long for the program that it makes: %w", err)
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if other, is := r.known[key]; is {
		return other.program, other.err
	}
	r.keep(key, known)
	return known.program, known.err
}

// keep keeps a program, and lets go of the oldest where there are many.
func (r *rewritten) keep(key rewriting, made outcome) {
	if r.known == nil {
		r.known = map[rewriting]outcome{}
	}
	if len(r.order) == mostRewritings {
		delete(r.known, r.order[0])
		r.order = r.order[1:]
	}
	r.known[key], r.order = made, append(r.order, key)
}

// Model is the model of the tree's program in the context of a model of the one that its recipe is
// for; that itself where no command has made another one.
func (t *Tree) Model(m *scop.Model) (*scop.Model, error) {
	if t.Program == m.Program || t.Program == m.Program.Root() && m.Program.Origin == nil {
		return m, nil
	}
	type question struct{ program *scop.Program }
	return scop.Lately(m, question{t.Program}, func() (*scop.Model, error) { return t.Program.Model(m.Context) })
}

// Graph is the dependence graph of the tree's program, for that of the one that its recipe is for.
func (t *Tree) Graph(g *depend.Graph) (*depend.Graph, error) {
	m, err := t.Model(g.Model)
	if err != nil || m == g.Model {
		return g, err
	}
	type question struct{ program *scop.Program }
	return scop.Lately(m, question{t.Program}, func() (*depend.Graph, error) { return depend.Analyze(m) })
}

// Graph is the dependence graph of the program that the recipe's schedule is for, for that of its own.
func (r Recipe) Graph(g *depend.Graph) (*depend.Graph, error) {
	t, err := r.Replay(g.Model.Program)
	if err != nil {
		return nil, err
	}
	return t.Graph(g)
}

// Program is the program that the recipe's schedule is for: its own, unless commands make another
// one, and can be applied.
func (r Recipe) Program(p *scop.Program) *scop.Program {
	if !slices.ContainsFunc(r, rewrites) {
		return p
	}
	return r.programBehind(p, p)
}

// check proves the schedule of a tree.
func (t *Tree) check(g *depend.Graph, schedule mark.Schedule, complete bool) error {
	own, err := t.Graph(g)
	switch {
	case err != nil:
		return err
	case complete:
		return own.Check(schedule)
	}
	return own.CheckPrefix(schedule)
}

// checkStatements makes sure that the statements which a command names are there.
func (t *Tree) checkStatements(named []int) error {
	for _, s := range named {
		if s < len(t.Program.Statements) && t.Program.IsLeft(s) {
			return fmt.Errorf("statement %s has no instances any more; others compute what it did", t.Program.Statements[s].Spelling())
		}
	}
	return nil
}
