// Package mpi makes C with MPI of a schedule whose loops ranks share out: each rank runs its block
// of them, and what it reads of other ranks comes in messages. The region's code stands in the
// function; what it calls for messages is at the end of the file.
package mpi

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"text/template"

	"polytune/codegen"
	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/scop/ranks"
)

// Options say how ranks run a program.
type Options struct {
	// Gather are the ranks that have all results in the end; "" stands for all.
	Gather ranks.Gather
	// Communicator is the one of the ranks, in C; "" stands for MPI_COMM_WORLD.
	Communicator string
	// Local adds a function for ranks that have blocks of arrays alone.
	Local bool
}

// World is the communicator of all ranks.
const World = "MPI_COMM_WORLD"

// Marker is in the text of each program that sends messages.
const Marker = "/* What the code above calls for messages between ranks. */"

// firstTag is the tag of the first exchange's messages: those of the user have others.
const firstTag = 21437

// printing is what is spent on loops over elements, {} for what ranks spends by itself; tests spend
// less.
var printing ranks.Printing

//go:embed runtime.c.tmpl
var runtimeText string

var runtime = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("runtime").Parse(runtimeText))
})

// Program proves that the recipe is legal and returns the unit's text with the code of its schedule
// for ranks in the unit's place.
func Program(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit,
	o Options) (text []byte, notes codegen.Notes, err error) {
	err = g.Model.Context.Sound(func() (err error) {
		text, notes, err = program(g, recipe, unit, o)
		return tooComplicated(err, g.Model.Program, recipe)
	})
	return text, notes, err
}

func program(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit,
	o Options) ([]byte, codegen.Notes, error) {
	start := g.Model.Context.Mark()
	defer g.Model.Context.Release(start)
	m, proven, options, err := prepared(g, recipe, unit, o)
	if err != nil {
		return nil, codegen.Notes{}, err
	}
	options.Honours = mark.NewHonours()
	code, err := codegen.Generate(m, proven, options)
	if err != nil {
		return nil, codegen.Notes{}, err
	}
	text := unit.Place(code)
	if options.Ranks == nil && o.Local {
		return nil, codegen.Notes{}, errors.New("ranks share no loop, so that --local has no " +
			"blocks to make: name loops with ranks in a recipe")
	}
	if options.Ranks != nil {
		var b strings.Builder
		err = runtime().Execute(&b, map[string]any{
			"X": options.Runtime, "Name": unit.Program.Name, "Communicator": communicator(o),
			"Tag":   firstTag,
			"Grids": options.Ranks.HasGrids(), "Sums": sums(options.Ranks),
			"Meets":  len(options.Ranks.Meets) > 0,
			"Memory": strings.Contains(code, options.Runtime+"_all("),
		})
		if o.Local {
			functions, err := local(m, proven, recipe, unit, o, options)
			if err != nil {
				return nil, codegen.Notes{}, err
			}
			text = append(text, functions...)
		}
		text = append(text, ctext.WithoutMacros(unit.Macros, runtimeText, b.String())...)
	}
	if err != nil || options.Ranks == nil {
		return text, codegen.Notes{Declined: options.Honours.Declined()}, err
	}
	warnings, err := options.Ranks.Warnings(m)
	for k, warning := range warnings {
		warnings[k] = options.Tree.InWords(warning, "")
	}
	return text, codegen.Notes{Declined: options.Honours.Declined(), Warnings: warnings}, err
}

// prepared is a model with the schedule of a recipe for ranks, and what its code is made with.
func prepared(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit,
	o Options) (*scop.Model, mark.Schedule, codegen.Options, error) {
	m, proven, options, err := codegen.Prove(g, recipe, unit)
	if err != nil {
		return nil, proven, options, err
	}
	plan, err := Plan(m, proven, recipe, unit, o)
	if err != nil {
		return nil, proven, options, err
	}
	options.Passes = codegen.PassesOnRanks
	if len(plan.Groups) > 0 {
		options.Ranks, options.Runtime, options.ToRoot = plan, prefix(recipe, unit, o),
			o.Gather == ranks.OnRoot
		options.Header += Contract(o)
		for _, note := range plan.Notes() {
			options.Header += options.Tree.InWords(note, "") + "\n"
		}
	}
	return m, proven, options, nil
}

// Lower proves that the recipe is legal and is the program that Program prints, for machines
// without a compiler, with the model of its statements.
func Lower(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit,
	o Options) (*loopir.Program, *scop.Model, error) {
	m, proven, options, err := prepared(g, recipe, unit, o)
	if err != nil {
		return nil, nil, err
	}
	program, err := codegen.Lower(m, proven, options, nil)
	return program, m, err
}

// Plan is what ranks do with a schedule.
func Plan(m *scop.Model, proven mark.Schedule, recipe schedule.Recipe, unit scop.Unit,
	o Options) (*ranks.Plan, error) {
	plan, err := ranks.Of(m, proven, ranks.Options{
		Gather: cmp.Or(o.Gather, ranks.OnAll), Taken: unit.Taken, Local: o.Local,
		Printing: printing, Reordered: command.Reassociates(recipe.Text(unit.Program)),
	})
	return plan, blamed(err, m, recipe, unit)
}

// blamed is an error of a plan with the command of the recipe that it is about: a message by hand,
// or the first command that shares loops out.
func blamed(err error, m *scop.Model, recipe schedule.Recipe, unit scop.Unit) error {
	tree, failed := recipe.Replay(unit.Program)
	if failed != nil {
		tree, failed = recipe.Replay(m.Program)
	}
	if failed != nil {
		return err
	}
	hand, refused := (*ranks.HandError)(nil), (*ranks.RefusedError)(nil)
	isHand, isRefused := errors.As(err, &hand), errors.As(err, &refused)
	for k, c := range recipe {
		text := schedule.Text(c, m.Program)
		_, shares := c.(command.Ranks)
		switch {
		case isHand && schedule.Text(tree.InOwnNames(c), m.Program) == hand.Command:
			return &schedule.CommandError{Line: k + 1, Text: text,
				Err: inWords{hand.Err, tree.InWords(hand.Err.Error(), "")}}
		case isRefused && shares:
			return &schedule.CommandError{Line: k + 1, Text: text,
				Err: &ranks.RefusedError{Reason: tree.InWords(refused.Reason, "")}}
		}
	}
	return err
}

// inWords is an error with names of loops as the source or the recipe has them.
type inWords struct {
	error
	text string
}

func (e inWords) Error() string { return e.text }

func (e inWords) Unwrap() error { return e.error }

// tooComplicated is an error with the command of the recipe for which isl needs too long: zones of
// a grid have many sides, and more with each step.
func tooComplicated(err error, p *scop.Program, recipe schedule.Recipe) error {
	if !isl.IsLimit(err) {
		return err
	}
	for k, c := range recipe {
		if _, is := c.(command.Ghost); is {
			return &schedule.CommandError{Line: k + 1, Text: schedule.Text(c, p), Err: fmt.Errorf(
				"what ranks compute again has too many sides: name a loop over tiles of fewer "+
					"iterations, or have ranks share one loop of each nest and no grid: %w", err)}
		}
	}
	return err
}

// together are two elements put together, by operators.
var together = map[scop.Operator]string{
	scop.Sum: "a[k] + b[k]", scop.Product: "a[k] * b[k]", scop.Minimum: "b[k] < a[k] ? b[k] : a[k]",
	scop.Maximum: "b[k] > a[k] ? b[k] : a[k]",
}

// sum is what the functions that put elements together are made of.
type sum struct{ Type, Together string }

func sums(plan *ranks.Plan) (list []sum) {
	for _, s := range plan.Sums {
		list = append(list, sum{s.Array.Type, together[s.Clause.Operator]})
	}
	return list
}

func communicator(o Options) string { return cmp.Or(o.Communicator, World) }

// Contract says, in comments of programs and headers, how ranks have to call a function.
func Contract(o Options) string {
	text := fmt.Sprintf("Every rank of %s calls the function with the same data, after MPI_Init, "+
		"or with threads in\n"+
		"ranks MPI_Init_thread with MPI_THREAD_FUNNELED. Where one does not call it, the others "+
		"wait for ever.\n", communicator(o))
	switch o.Gather {
	case ranks.OnRoot:
		return text + "In the end rank 0 has all results.\n"
	case ranks.OnNone:
		return text + "In the end each rank has its own part of the results.\n"
	}
	return text + "In the end all ranks have all results.\n"
}

// prefix begins the names of a region's own functions: those of no other region, or of other code
// for it, are the same.
func prefix(recipe schedule.Recipe, unit scop.Unit, o Options) string {
	hash := fnv.New32a()
	fmt.Fprint(hash, unit.Program.Name, unit.Program.Function.Name, unit.Original,
		recipe.Text(unit.Program), o)
	return fmt.Sprintf("tune_mpi_%08x", hash.Sum32())
}
