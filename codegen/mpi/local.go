package mpi

import (
	"fmt"
	"strings"

	"polytune/codegen"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/scop/ranks"
)

// local is the text of two functions for ranks that have a block of each array alone, with the
// halo: one that tells which rows these are, and one that runs the region on them. In the end each
// rank has its own part of the results.
func local(m *scop.Model, proven mark.Schedule, recipe schedule.Recipe, unit scop.Unit, o Options,
	options codegen.Options) (string, error) {
	o.Gather = ranks.OnNone
	plan, err := Plan(m, proven, recipe, unit, o)
	if err != nil {
		return "", err
	}
	function := unit.Program.Function
	if err := isWhole(unit.Program, function); err != nil {
		return "", err
	}
	names := map[string]string{"local": function.Name + "_local", "rows": function.Name +
		"_local_rows"}
	for _, name := range names {
		if unit.Taken[name] {
			return "", fmt.Errorf("the file has a %s already, which is the name of the function "+
				"of --local", name)
		}
	}
	options.Honours = mark.NewHonours()
	options.Ranks, options.ToRoot, options.Header, options.Indent, options.Original = plan, false,
		"", "", ""
	options.Local = codegen.LocalRows
	rows, err := codegen.Generate(m, proven, options)
	if err != nil {
		return "", err
	}
	options.Local = codegen.LocalCode
	code, err := codegen.Generate(m, proven, options)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n/* Tells which rows of each array this rank has, its own and those that it " +
		"gets of others: the first\n * one and how many. */\n")
	writeFunction(&b, names["rows"], rowsArguments(function, plan), rows)
	b.WriteString("\n/* " + function.Name + " for ranks that have these rows alone: the first " +
		"row of an argument is the first of them.\n * In the beginning all of them have their " +
		"values; in the end each rank's own rows have. */\n")
	writeFunction(&b, names["local"], localArguments(function, plan), code)
	return b.String(), nil
}

// isWhole is an error where the function has data beside its arguments, which a function of its own
// would not have.
func isWhole(p *scop.Program, f scop.Function) error {
	if f.Result != "" || len(p.Expansions) > 0 {
		return fmt.Errorf("%s gives a value back, or has arrays that are expanded: --local makes "+
			"a function of its region alone", f.Name)
	}
	known := map[string]bool{}
	for _, a := range f.Arguments {
		known[a.Name] = true
	}
	for k := range p.Arrays {
		a := &p.Arrays[k]
		name := a.Variable
		if name == "" {
			name = a.Name
		}
		if !known[name] && !a.Local {
			return fmt.Errorf("%s is no argument of %s, and --local makes a function of its "+
				"region and its arguments alone: make it one", a.Spelling(), f.Name)
		}
	}
	for _, parameter := range p.Parameters {
		if !known[p.Spelling(parameter)] {
			return fmt.Errorf("%s is no argument of %s, and --local makes a function of its "+
				"region and its arguments alone: make it one", p.Spelling(parameter), f.Name)
		}
	}
	return nil
}

// rowsArguments are the sizes, and two numbers to fill in for each array.
func rowsArguments(f scop.Function, plan *ranks.Plan) (list []string) {
	for _, a := range f.Arguments {
		if a.Role != scop.Pointer {
			list = append(list, a.Type+" "+a.Name)
		}
	}
	for _, b := range plan.Blocks {
		list = append(list, "long *"+codegen.FirstRow(b.Argument.Name),
			"long *"+codegen.Rows(b.Argument.Name))
	}
	return list
}

// localArguments are those of the function, in which blocks take the place of arrays.
func localArguments(f scop.Function, plan *ranks.Plan) (list []string) {
	blocks := map[string]bool{}
	for _, b := range plan.Blocks {
		blocks[b.Argument.Name] = true
	}
	for _, a := range f.Arguments {
		name, extents := a.Name, ""
		for _, extent := range a.Extents {
			extents += "[" + extent + "]"
		}
		if blocks[a.Name] {
			name, extents = codegen.BlockName(a.Name), "[]"
			for _, extent := range a.Extents[1:] {
				extents += "[" + extent + "]"
			}
		}
		text := a.Type + " "
		if a.Const {
			text = "const " + text
		}
		if a.Role == scop.Pointer && len(a.Extents) == 0 {
			text += "*"
		}
		list = append(list, text+name+extents)
	}
	return list
}

func writeFunction(b *strings.Builder, name string, arguments []string, code string) {
	declared := fmt.Sprintf("void %s(%s)", name, strings.Join(arguments, ", "))
	fmt.Fprintf(b, "%s;\n\n%[1]s\n{\n", declared)
	for _, a := range arguments {
		fmt.Fprintf(b, "  (void) %s;\n", argumentName(a))
	}
	fmt.Fprintf(b, "%s}\n", code)
}

// argumentName is the name in a declaration.
func argumentName(declaration string) string {
	text, _, _ := strings.Cut(declaration, "[")
	return strings.TrimLeft(text[strings.LastIndexAny(text, " *")+1:], "*")
}
