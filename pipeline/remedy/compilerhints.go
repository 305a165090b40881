package remedy

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/report"
	"polytune/runner"
	"polytune/scop"
)

// flagHint is a flag by which compilers make vectors of more statements.
type flagHint struct {
	flag string
	// stands says whether a statement has what may stand in the way without the flag, why what that
	// is; price is what the flag gives up.
	stands     func(*scop.Statement) bool
	why, price string
}

// flagHints are those that are tried, in order.
var flagHints = []flagHint{
	{"-fno-math-errno", func(s *scop.Statement) bool { return s.Serial == scop.SerialByErrno }, "it calls a function that may set errno", "errno is not set"},
	{"-fno-trapping-math", mayTrap, "it rounds to integers, or computes under a condition, and an operation may trap", "fenv.h may tell of exceptions that the program has not raised"},
}

// trapping are the functions of math.h that may tell of rounding, which gcc 12 calls one by one, and
// conditions, under which it computes nothing that may trap.
var trapping = regexp.MustCompile(`\b(floor|ceil|trunc|round|rint|nearbyint)[fl]?\s*\(|\?|\bif\b`)

// mayTrap says whether a statement computes what gcc makes no vectors of because it may trap.
func mayTrap(s *scop.Statement) bool { return trapping.MatchString(s.Source) }

// CompilerHints are changes by which the compiler makes vectors of more loops of a variant: each is
// tried, by compiling the variant with it and without.
func CompilerHints(ctx context.Context, o *pipeline.Options, t *pipeline.Target, source []byte, at harness.Place) ([]report.Hint, error) {
	flags, pointers := hintsOf(t), openPointers(t, source)
	if len(flags) == 0 && len(pointers) == 0 {
		return nil, nil
	}
	folder, err := filepath.Abs(filepath.Dir(t.Path))
	if err != nil {
		return nil, fmt.Errorf("the folder of %s: %w", t.Path, err)
	}
	subject := runner.Subject{SourceDir: folder, Preprocessor: o.CompilerArguments(), Arguments: o.Program.Build.Compiler}
	builder, err := runner.NewBuilder(runner.BuilderOptions{Subject: subject, Toolchain: at.Toolchain, Jobs: 1, Limit: at.Settings.Limits.Build()})
	if err != nil {
		return nil, err
	}
	defer builder.Close()
	first, end := regionLines(t, source)
	before, known, err := builder.VectorLoops(ctx, string(source), first, end)
	if err != nil || !known {
		return nil, err
	}
	var hints []report.Hint
	for _, hint := range flags {
		after, known, err := builder.VectorLoops(ctx, string(source), first, end, hint.flag)
		if err != nil {
			return nil, err
		}
		if known && after > before {
			hints = append(hints, compilerHint(t, hint.statement.Line, hint.statement.Column, after-before, hint.why,
				report.Remedy{Flags: fmt.Sprintf("--build-flags %q", strings.TrimSpace(o.Program.BuildText+" "+hint.flag)), Gain: report.GainVectors, Price: hint.price}))
		}
	}
	if len(pointers) > 0 {
		after, known, err := builder.VectorLoops(ctx, restricted(string(source), functionStart(t, source), pointers), first, end)
		if err != nil {
			return nil, err
		}
		if known && after > before {
			statement := t.Unit.Program.Statements[0]
			hints = append(hints, compilerHint(t, statement.Line, statement.Column, after-before,
				"to the compiler "+strings.Join(pointers, ", ")+" may point to the same elements",
				report.Remedy{Change: "declare them restrict", Gain: report.GainVectors}))
		}
	}
	return hints, nil
}

func compilerHint(t *pipeline.Target, line, column, loops int, why string, remedy report.Remedy) report.Hint {
	return report.Hint{Others: []report.ObstacleExplanation{}, Remedies: []report.Remedy{remedy},
		Compiler: &report.CompilerHint{File: References(t).File, Line: line, Column: column, Why: why, Loops: loops}}
}

// statementHint is a flag for a statement.
type statementHint struct {
	flagHint
	statement *scop.Statement
}

// hintsOf are the flags that may help some statement of a target, with the first of the deepest such
// statements.
func hintsOf(t *pipeline.Target) (list []statementHint) {
	p := t.Unit.Program
	for _, hint := range flagHints {
		var found *scop.Statement
		for k := range p.Statements {
			s := &p.Statements[k]
			if hint.stands(s) && (found == nil || s.Depth() > found.Depth()) {
				found = s
			}
		}
		if found != nil {
			list = append(list, statementHint{hint, found})
		}
	}
	return list
}

// regionLines are the lines of the region in a variant's file: the first one, and the one behind
// the last.
func regionLines(t *pipeline.Target, source []byte) (first, end int) {
	behind := len(source) - (len(t.File.Source) - t.Region.PragmaEnd)
	line := func(offset int) int {
		return 1 + strings.Count(string(source[:max(0, min(offset, len(source)))]), "\n")
	}
	return line(t.Region.PragmaStart), line(behind) + 1
}

// functionStart is the place of the head of the region's function in a variant's file, -1 for none.
func functionStart(t *pipeline.Target, source []byte) int {
	head := regexp.MustCompile(`\b` + regexp.QuoteMeta(t.Region.Function) + `\s*\(`)
	places := head.FindAllIndex(source[:min(t.Region.PragmaStart, len(source))], -1)
	if len(places) == 0 {
		return -1
	}
	return places[len(places)-1][0]
}

// pointerArgument finds an argument that is written as a pointer.
func pointerArgument(name string) *regexp.Regexp {
	return regexp.MustCompile(`\*\s*((?:const\s+|volatile\s+)*)` + regexp.QuoteMeta(name) + `\b`)
}

// openPointers are the arguments of the region's function that are pointers without restrict.
func openPointers(t *pipeline.Target, source []byte) (names []string) {
	from := functionStart(t, source)
	if from < 0 {
		return nil
	}
	head := argumentsAt(string(source), from)
	for _, a := range t.Unit.Program.Function.Arguments {
		if a.Role == scop.Pointer && pointerArgument(a.Name).MatchString(head) {
			names = append(names, a.Name)
		}
	}
	slices.Sort(names)
	if len(names) < 2 {
		return nil
	}
	return names
}

// argumentsAt is the text of a function's head from a place on, up to its body.
func argumentsAt(source string, from int) string {
	head, _, _ := strings.Cut(source[from:], "{")
	return head
}

// restricted is the source with the arguments of the function whose head begins at a place declared
// restrict.
func restricted(source string, from int, names []string) string {
	head := argumentsAt(source, from)
	changed := head
	for _, name := range names {
		changed = pointerArgument(name).ReplaceAllString(changed, "* ${1}__restrict "+name)
	}
	return source[:from] + changed + source[from+len(head):]
}
