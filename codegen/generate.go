package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/scop/ranks"
)

// Options are what the generated code has to fit into.
type Options struct {
	// Taken are identifiers that the generated code must not define: all
	// identifiers of the user's file will do.
	Taken map[string]bool
	// Header is text, such as the recipe, printed as a comment at the top.
	Header string
	// Indent is the indentation of the region in the user's file.
	Indent string
	// Unused are variables declared outside the region that only the
	// region's own loops used: the code mentions them, so that compilers do
	// not report them.
	Unused []string
	// Declarations are those that the block begins with.
	Declarations []string
	// Before are lines of C in front of the block, After the last ones in it.
	Before, After []string
	// NamesLoops says that comments in front of loops and behind them have their names, which
	// NamedLoops reads.
	NamesLoops bool
	// Original is the region's own text. Code with expanded arrays has it as
	// well, to run where there is no memory for them; and so has code in
	// stages, to run where a parameter has not the sign that they need, and that of a program that
	// assumes something of its parameters.
	Original string
	// Tree is what the schedule was lowered from, or nil. With it, the code of
	// very many statements in tiles is made in two stages, see schedule.Stages.
	Tree *schedule.Tree
	// Passes make the program that is printed, in their order; nil stands for Passes.
	Passes []Pass
	// Honours are where the marks are noted that the code has, nil for nowhere.
	Honours *mark.Honours
	// Ranks is the plan of a program for several ranks, nil for others; Runtime begins the names of the
	// functions that its code calls, and ToRoot says that rank 0 alone has all results in the end.
	Ranks   *ranks.Plan
	Runtime string
	ToRoot  bool
	// Local is what of a function is made whose ranks have blocks of arrays alone.
	Local LocalPart
	// overheads are where those of the code are noted, nil for nowhere.
	overheads Overheads
}

// LocalPart is a part of a program whose ranks have blocks of arrays alone.
type LocalPart int

// The parts: none, for arrays that all ranks have whole; the code; and what tells which rows a rank has.
const (
	NotLocal LocalPart = iota
	LocalCode
	LocalRows
)

// Generate prints the code that runs the instances of the model's statements
// in the order of the schedule: a block of C, whole lines with line feeds,
// that takes the place of the region.
//
// Loop variables are long and named c0, c1, … by the depth of their loop in
// the schedule tree. A mark.Parallel or mark.Vector above a band of
// one member puts a pragma above each loop that comes from the band; a loop
// that runs only once vanishes, and its pragma with it. Minimum, maximum and
// rounding division are macros defined before the block and undefined after
// it.
func Generate(model *scop.Model, schedule mark.Schedule, options Options) (string, error) {
	context := model.Context
	start := context.Mark()
	defer context.Release(start)
	code, err := generate(model, schedule, options)
	if err != nil {
		return "", fmt.Errorf("code generation for %s, statements %s: %w", model.Program.Name, strings.Join(model.Program.StatementNames(), " "), err)
	}
	return code, nil
}

func generate(model *scop.Model, schedule mark.Schedule, options Options) (string, error) {
	program, env, err := lower(model, schedule, options, nil)
	if err != nil {
		return "", err
	}
	env.nodes.namesLoops = options.NamesLoops
	text := env.nodes.block(program, options)
	return text, env.nodes.err
}

// takenNames are the identifiers that generated names must differ from.
func takenNames(program *scop.Program, more map[string]bool) map[string]bool {
	taken := map[string]bool{}
	add := func(text string) {
		for _, word := range ctext.Words(text) {
			taken[word] = true
		}
	}
	for name, is := range more {
		taken[name] = is
	}
	for _, parameter := range program.Parameters {
		taken[parameter] = true
		add(program.Spelling(parameter))
	}
	for _, array := range program.Arrays {
		add(array.String())
	}
	for _, local := range program.Locals {
		add(local.Declaration)
	}
	for i := range program.Statements {
		add(program.Statements[i].Source)
	}
	return taken
}

// freshNames returns count names prefix0, prefix1, …, with as many
// underscores before the number as it takes to differ from all that are
// taken.
func freshNames(prefix string, count int, taken map[string]bool) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	if slices.ContainsFunc(names, func(name string) bool { return taken[name] }) {
		return freshNames(prefix+"_", count, taken)
	}
	return names
}

func newPrinter(program *scop.Program, taken map[string]bool) *printer {
	p := &printer{expressions: expressions{parameters: map[string]width{}, spellings: program.Spellings}, taken: taken}
	for h, name := range []string{"tune_min", "tune_max", "tune_floor"} {
		for taken[name] {
			name += "_"
		}
		p.helpers[h] = name
	}
	for _, parameter := range program.Parameters {
		p.parameters[parameter] = foreign
	}
	for _, argument := range program.Function.Arguments {
		for _, parameter := range program.Parameters {
			if program.Spelling(parameter) == argument.Name {
				p.parameters[parameter] = widthOf(argument.Type)
			}
		}
	}
	return p
}

func widthOf(cType string) width {
	switch cType {
	case "int", "signed", "signed int", "short", "short int", "signed char", "int32_t", "int16_t", "int8_t":
		return narrow
	case "long", "long int", "signed long", "long long", "long long int", "int64_t", "ptrdiff_t", "ssize_t", "intptr_t":
		return wide
	}
	return foreign
}

// localOf declares a variable of the region's own. Parts of it may have got other names, so that
// nothing reads what is left.
func localOf(program *scop.Program, local scop.Local) *loopir.Private {
	return &loopir.Private{Declaration: local.Declaration, Unused: !strings.Contains(local.Declaration, "=") && isOnlyWritten(program, local.Name)}
}

// isOnlyWritten says whether statements write a variable, and none reads it.
func isOnlyWritten(program *scop.Program, variable string) bool {
	written := false
	for _, s := range program.Statements {
		for _, access := range s.Accesses {
			if access.Array != variable && program.Array(access.Array).Variable != variable {
				continue
			}
			if access.Read {
				return false
			}
			written = true
		}
	}
	return written
}

// localsOf declares the region's own variables that are not declared further inside.
func localsOf(program *scop.Program) (code loopir.Code) {
	privates := program.Privates()
	for _, local := range program.Locals {
		if !slices.ContainsFunc(privates, func(p scop.Private) bool { return p.Local == local }) {
			code = append(code, localOf(program, local))
		}
	}
	return code
}
