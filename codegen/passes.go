package codegen

import (
	"cmp"
	"errors"
	"fmt"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Pass is one step on the way from a schedule to a program that can be printed. What it cannot do
// as a mark says it declines.
type Pass struct {
	Name string
	Run  func(*loopir.Program, *Env) error
}

// Passes are all of them, in their order. The first ones make and change a tree of loops in which
// marks of the schedule stand: it is made of isl's tree, full tiles get loops of constant lengths,
// threads that run loops together, or through one as in a relay, get these, and code gets copies of
// arrays, which may be tiles of layouts. Register blocks get buffers for what they read, and then
// code of their own where they are full, loops are parted where subscripts bend, and two loops over
// short rows become one. Behind nests no
// marks are left: loops have what these say, and threads may share the iterations of two together.
// Then loops are written in vectors of our own, threads get copies of arrays in which they add up,
// and loops that pay for several threads only sometimes are there twice. Arrays get memory, loops are
// unrolled and cut into strips of lanes, and what has to hold is asked in front of all.
var Passes = []Pass{
	{"loops", loops},
	{"fullTiles", fullTiles},
	{"team", team},
	{"relay", relays},
	{"layouts", layouts},
	{"copies", copyArrays},
	{"pack", pack},
	{"blocks", blocks},
	{"interiors", interiors},
	{"flat", flat},
	{"nests", nests},
	{"collapse", collapse},
	{"stream", stream},
	{"overlap", overlap},
	{"bounds", bounds},
	{"reductions", reductions},
	{"versions", versions},
	{"memory", memory},
	{"unroll", unroll},
	{"guards", guards},
}

// Loops is the first of them, with which passes of other targets begin, too.
var Loops = Passes[0]

// Env is what passes know of the program, and of each other's work.
type Env struct {
	model *scop.Model
	// syntax is isl's tree.
	syntax *syntax
	// nodes has what was found out while the loops were made, and the names that there are.
	nodes   *nodes
	honours *mark.Honours
	// ranks is what there is for several ranks.
	ranks onRanks
	// loop is the variable of the loop that a pass works on, "" for none.
	loop string
}

// Model is the program that the code is made for.
func (e *Env) Model() *scop.Model { return e.model }

// Tree is what the schedule was lowered from.
func (e *Env) Tree() *schedule.Tree { return e.nodes.tree }

// Schedule is what the code is made of.
func (e *Env) Schedule() mark.Schedule { return e.nodes.schedule }

// DepthOf is the depth of the loop with a variable, as the schedule counts, and as marks have it.
func (e *Env) DepthOf(variable string) (depth int, known bool) {
	depth, known = e.nodes.depths[variable]
	return depth, known
}

// VariableAt is the variable of the loops at a depth.
func (e *Env) VariableAt(depth int) string {
	for variable, at := range e.nodes.depths {
		if at == depth {
			return variable
		}
	}
	return ""
}

// Decline notes that some code does not have a mark. The first reason counts, unless other code has
// the mark.
func (e *Env) Decline(m mark.Mark, reason string) { e.honours.Decline(m, reason) }

// Honour notes that code has a mark.
func (e *Env) Honour(m mark.Mark) { e.honours.Honour(m) }

// Lower is the program of a schedule before it is printed. after looks at it behind each pass; it
// may be nil.
func Lower(model *scop.Model, schedule mark.Schedule, options Options, after func(pass string, p *loopir.Program) error) (*loopir.Program, error) {
	start := model.Context.Mark()
	defer model.Context.Release(start)
	p, _, err := lower(model, schedule, options, after)
	return p, err
}

// lower is Lower that also gives what the passes had.
func lower(model *scop.Model, schedule mark.Schedule, options Options, after func(pass string, p *loopir.Program) error) (p *loopir.Program, e *Env, err error) {
	err = model.Context.Sound(func() (err error) {
		p, e, err = runPasses(model, schedule, options, after)
		return err
	})
	return p, e, err
}

// runPasses runs all passes.
func runPasses(model *scop.Model, schedule mark.Schedule, options Options, after func(pass string, p *loopir.Program) error) (*loopir.Program, *Env, error) {
	e, err := newEnv(model, schedule, options)
	if err != nil {
		return nil, nil, err
	}
	p := &loopir.Program{Locals: localsOf(model.Program), Unused: options.Unused}
	passes := options.Passes
	if passes == nil {
		passes = Passes
	}
	for _, pass := range passes {
		e.loop = ""
		if err := cmp.Or(pass.Run(p, e), e.nodes.err, model.Context.Err()); err != nil {
			return nil, nil, e.failed(pass, err)
		}
		if after == nil {
			continue
		}
		if err := after(pass.Name, p); err != nil {
			return nil, nil, e.failed(pass, err)
		}
	}
	e.account(p)
	return p, e, nil
}

// failed is the error of a pass, which names the loop that it worked on.
func (e *Env) failed(pass Pass, err error) error {
	if e.loop == "" {
		return fmt.Errorf("pass %s: %w", pass.Name, err)
	}
	return fmt.Errorf("pass %s, loop %s: %w", pass.Name, e.loop, err)
}

// newEnv asks isl for the loops of a schedule.
func newEnv(model *scop.Model, schedule mark.Schedule, options Options) (*Env, error) {
	if err := model.Context.Err(); err != nil {
		return nil, err
	}
	if model.Program.Assumed != "" && options.Original == "" {
		return nil, errors.New("the program assumes something of its parameters, and there is no original text for others")
	}
	taken := takenNames(model.Program, options.Taken)
	marks, deepest := marksBelow(schedule.Tree.Root(), 0)
	variables := freshNames("c", deepest, taken)
	// A private variable, or a thread's own array, is declared where its iteration's code begins.
	contractions := map[string]mark.Local{}
	if options.Tree != nil {
		contractions = options.Tree.Contractions()
	}
	model.Context.KeepIterationsTogether(len(model.Program.Privates()) > 0 || anyOwn(contractions))
	syntax := syntaxOf(model, schedule, options.Tree, marks, variables)
	if options.Ranks != nil {
		syntax = syntaxOnRanks(model, schedule, options.Ranks, marks, variables)
	}
	if err := model.Context.Err(); err != nil {
		return nil, err
	}
	e := &Env{model: model, syntax: syntax, honours: cmp.Or(options.Honours, mark.NewHonours()), ranks: onRanks{plan: options.Ranks, toRoot: options.ToRoot, local: options.Local}}
	around := &place{
		printer: newPrinter(model.Program, taken), statements: &statements{model}, env: e, tree: options.Tree,
		depths: map[string]int{}, inStages: syntax.points != nil, relays: map[*loopir.Relay]*relay{}, overheads: &overheads{least: options.overheads, depths: map[int]int{}},
	}
	memories := &memories{place: around, schedule: schedule, hasOriginal: options.Original != "", contractions: contractions}
	n := &nodes{copies: &copies{memories: memories, copyNames: map[string]string{}, layouts: map[string]*blockLayout{}, blocks: map[*loopir.Marked]foundBlock{}, laid: map[*loopir.Copies]*blockLayout{}}}
	if syntax.points != nil && (len(n.contractions) > 0 || options.Tree.HasCopies()) {
		return nil, errors.New("arrays cannot be contracted or copied among so many statements, whose code is made in two stages; leave the commands contract and copy out")
	}
	for depth, variable := range variables {
		n.depths[variable] = depth
	}
	n.defineRows()
	n.runtime = options.Runtime
	e.nodes = n
	return e, nil
}

// nests makes what the marks say of the tree of loops.
func nests(p *loopir.Program, e *Env) error {
	n := e.nodes
	body := n.fragment(p.Code)
	p.Code = append(n.declarationsOf(body), body.code...)
	return nil
}

// memory gives arrays of the region's own memory.
func memory(p *loopir.Program, e *Env) error {
	p.Heap = e.nodes.allocate()
	p.Code = append(e.nodes.storedOnStack(), p.Code...)
	return nil
}

// guards makes a program depend on what it assumes of its parameters, on none being near the
// largest number where that matters, and on the signs of those that the stages need.
func guards(p *loopir.Program, e *Env) error {
	n := e.nodes
	if assumed := e.model.Program.Assumed; assumed != "" {
		context := e.model.Context
		build := isl.NewAstBuild(context.ReadSet(e.model.Program.ParametersText() + "{ : }"))
		p.Assumed = loopir.FromISL(build.ExprFromSet(context.ReadSet(assumed)))
		n.needs(p.Assumed)
	}
	p.Guards = n.farFromLargest()
	for _, k := range e.syntax.signs {
		p.Guards = append(p.Guards, loopir.Operation(isl.OpGe, loopir.Named(e.model.Program.Parameters[k]), loopir.Int(0)))
	}
	return nil
}
