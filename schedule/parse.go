package schedule

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"polytune/scop"
)

// Parse reads a recipe of the program: one command a line; empty lines and
// what follows a "#" do not count. An error is a *CommandError.
func Parse(p *scop.Program, text string) (Recipe, error) {
	var recipe Recipe
	for number, line := range commandLines(text) {
		c, err := parseCommand(p, line)
		if err != nil {
			return nil, &CommandError{Line: number, Text: line, Err: err}
		}
		recipe = append(recipe, c)
	}
	return recipe, nil
}

// commandLines are the lines of a recipe that hold a command, without blanks
// and comments around it, by their numbers from 1.
func commandLines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.SplitSeq(text, "\n") {
			number++
			line, _, _ = strings.Cut(line, "#")
			line = strings.TrimSpace(line)
			if line != "" && !yield(number, line) {
				return
			}
		}
	}
}

// parsers reads the arguments of each command, by its name.
var parsers = map[string]func(p *scop.Program, rest string) (Command, error){
	"reassociate": parseAlone(Reassociate{}),
	"inplace":     parseAlone(Inplace{}),
	"expand":      func(_ *scop.Program, rest string) (Command, error) { return parseExpand(rest) },
	"untile":      parseAlone(Untile{}),
	"cut":         parseCut,
	"classes":     parseClasses,
	"split":       parseSplit,
	"band":        parseBand,
	"fuse":        func(_ *scop.Program, rest string) (Command, error) { return Fuse{strings.Fields(rest)}, nil },
	"shift":       parseShift,
	"skew":        parseSkew,
	"diamond":     parseDiamond,
	"blocks":      parseBlocks,
	"tile":        parseTile,
	"wavefront":   func(_ *scop.Program, rest string) (Command, error) { return Wavefront{strings.Fields(rest)}, nil },
	"sink":        parseLoop(func(loop string) Command { return Sink{loop} }),
	"parallel":    parseClauses(func(loop string, clauses []scop.Clause) Command { return Parallel{loop, clauses} }),
	"vectorize":   parseClauses(func(loop string, clauses []scop.Clause) Command { return Vectorize{loop, clauses} }),
	"threads":     parseThreads,
	"region":      parseRegion,
	"team":        parseLoop(func(loop string) Command { return Team{loop} }),
	"relay":       parseRelay,
	"dynamic":     parseLoop(func(loop string) Command { return Dynamic{loop} }),
	"registers":   parseRegisters,
	"pack":        parsePack,
	"contract":    parseContract,
	"copy":        parseCopy,
	"layout":      parseLayout,
	"simdlen":     parseSimdlen,
	"ivdep":       parseLoop(func(loop string) Command { return Ivdep{loop} }),
	"overlap":     parseOverlap,
	"stream":      parseStream,
	"collapse":    parseCollapse,
	"separate":    parseLoop(func(loop string) Command { return Separate{loop} }),
	"distribute":  func(_ *scop.Program, rest string) (Command, error) { return Distribute{strings.Fields(rest)}, nil },
	"phases":      parseLoop(func(loop string) Command { return Phases{loop} }),
}

func parseCommand(p *scop.Program, line string) (Command, error) {
	name, rest, _ := strings.Cut(line, " ")
	parser, ok := parsers[name]
	if !ok {
		return nil, fmt.Errorf("there is no command %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(parsers)), ", "))
	}
	if err := checkNumbers(name, rest); err != nil {
		return nil, err
	}
	return parser(p, strings.TrimSpace(rest))
}

// parseAlone reads a command that is its word alone.
func parseAlone(command Command) func(*scop.Program, string) (Command, error) {
	return func(_ *scop.Program, rest string) (Command, error) {
		if rest != "" {
			return nil, fmt.Errorf("it stands alone on its line, without %q", rest)
		}
		return command, nil
	}
}

func parseLoop(build func(loop string) Command) func(*scop.Program, string) (Command, error) {
	return func(_ *scop.Program, rest string) (Command, error) {
		if len(strings.Fields(rest)) != 1 {
			return nil, fmt.Errorf("the name of one loop is expected")
		}
		return build(rest), nil
	}
}

// parseClauses reads c0.1 reduction(+:x) reduction(max:y).
func parseClauses(build func(loop string, clauses []scop.Clause) Command) func(*scop.Program, string) (Command, error) {
	return func(_ *scop.Program, rest string) (Command, error) {
		loop, rest, _ := strings.Cut(rest, " ")
		if loop == "" {
			return nil, fmt.Errorf("the name of one loop is expected")
		}
		clauses, err := scop.ParseClauses(rest)
		return build(loop, clauses), err
	}
}

func parseClasses(p *scop.Program, rest string) (Command, error) {
	groups, err := parseGroups(p, rest)
	return Classes{groups}, err
}

func parseSplit(p *scop.Program, rest string) (Command, error) {
	node, rest, _ := strings.Cut(rest, " ")
	groups, err := parseGroups(p, rest)
	return Split{node, groups}, err
}

// parseGroups reads {S0 S2} {S1}.
func parseGroups(p *scop.Program, text string) ([][]int, error) {
	var groups [][]int
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		inside, after, closed := strings.Cut(rest, "}")
		names, opened := strings.CutPrefix(inside, "{")
		if !closed || !opened {
			return nil, fmt.Errorf("groups of statements are written {S0 S1} {S2}")
		}
		var group []int
		for _, name := range strings.Fields(names) {
			s, err := statementIndex(p, name)
			if err != nil {
				return nil, err
			}
			group = append(group, s)
		}
		groups = append(groups, group)
		rest = after
	}
	return groups, nil
}

func statementIndex(p *scop.Program, name string) (int, error) {
	for i := range p.Statements {
		if p.Statements[i].Spelling() == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("there is no statement %q; there are %s", name, strings.Join(p.StatementNames(), " "))
}

func parseBand(p *scop.Program, rest string) (Command, error) {
	node, rest, _ := strings.Cut(rest, " ")
	band := Band{Node: node}
	rest, band.Permutable = strings.CutPrefix(strings.TrimSpace(rest), "permutable ")
	var err error
	band.Rows, err = parseStatementRows(p, rest)
	return band, err
}

// parseStatementRows reads rows of loops by statement, separated by
// semicolons.
func parseStatementRows(p *scop.Program, text string) (loops []map[int]Row, err error) {
	for _, part := range strings.Split(text, ";") {
		s, rows, err := p.ParseRows(part, func(name string) (int, error) { return statementIndex(p, name) })
		if err != nil {
			return nil, err
		}
		if loops == nil {
			loops = make([]map[int]Row, len(rows))
			for k := range loops {
				loops[k] = map[int]Row{}
			}
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("statement %s has no row", p.Statements[s].Name)
		}
		if len(rows) != len(loops) {
			return nil, fmt.Errorf("%d rows for statement %s, %d for the one before", len(rows), p.Statements[s].Name, len(loops))
		}
		for k, row := range rows {
			loops[k][s] = row
		}
	}
	return loops, nil
}

func parseTile(_ *scop.Program, rest string) (Command, error) {
	loops, sizes, found := strings.Cut(rest, " by ")
	if !found {
		return nil, fmt.Errorf("tiling is written: tile c0.1 c0.2 by 32 32")
	}
	c := Tile{Loops: strings.Fields(loops)}
	var err error
	c.Sizes, err = parseSizes(sizes)
	return c, err
}

// parseSizes reads 32 64.
func parseSizes(text string) ([]int64, error) {
	var sizes []int64
	for _, word := range strings.Fields(text) {
		size, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the size %q is not a number", word)
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}
