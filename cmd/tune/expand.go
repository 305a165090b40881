package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/isl"
	"polytune/runner"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform"
)

// expansion is the memory that expanded temporaries may take: a number of bytes, where 0 means
// that none are expanded. As long as it is not given, the models decide.
type expansion struct {
	bytes int64
	given bool
}

// memoryUnits are those of parseMemory.
var memoryUnits = map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}

// parseMemory reads memory such as 64MiB: a number of bytes.
func parseMemory(text string) (int64, error) {
	digits := strings.TrimRight(text, "BKMGTi")
	unit, known := memoryUnits[text[len(digits):]]
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || number < 0 || number > 1<<62/unit {
		return 0, errors.New("memory is a whole number with one of the units B, KiB, MiB, GiB and TiB, such as 512MiB")
	}
	return number * unit, nil
}

// decidingPartition is the partition by which the models decide about expansion. With
// another one that the user names, nothing is expanded without being asked.
const decidingPartition = "smart"

// modelMemory is what temporaries may take that the models expand.
const modelMemory = 1 << 30

// expanded is the target with room for temporaries in arrays of their own.
func (t *target) expanded(room scop.Room) (*target, error) {
	at := *t
	err := at.change(room, t.whole.Reassociate)
	return &at, err
}

// expandWherePays puts the temporaries of targets into elements of arrays, or expands them, and says so on w, where more
// of the deepest statements run in register blocks or vector loops then, or in blocks that stay in registers, or where as many do and
// threads share out the outermost loop of more: by the
// model's transformation with decidingPartition. Of the two the first is better where both are as good, because it takes no
// memory. Nothing pays without vectors. Where isl
// needs too long, a target stays as it is.
func (o *targetOptions) expandWherePays(ctx context.Context, w io.Writer, targets []*target, model *modelOptions, machine runner.Machine) error {
	options, err := model.options(machine)
	if err != nil || options.Vector.Bits == 0 {
		return err
	}
	for _, t := range targets {
		others, err := o.otherMemory(t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if len(others) == 0 {
			continue
		}
		best, err := bestMemory(ctx, t, others, options)
		if err != nil && !isl.IsLimit(err) {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if err == nil && best != t {
			told := t.assumedText()
			*t = *best
			t.noteExpansions(w)
			t.noteAssumed(w, told)
		}
	}
	return nil
}

// bestMemory is the one among a target and others that runs its deepest statements best, as transform.Concurrency compares them, the first of
// these; and where iterations of outermost loops can share the elements of its arrays, the one in which they do.
func bestMemory(ctx context.Context, t *target, others []*target, options transform.Options) (*target, error) {
	best := t
	most, sharing, err := t.concurrency(ctx, options)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		found, shares, err := other.concurrency(ctx, options)
		if err != nil {
			return nil, err
		}
		if found.IsBetterThan(most) && !other.comesFromMemory(found, options) {
			best, most, sharing = other, found, shares
		}
	}
	if maps.Equal(sharing, best.whole.Sharing()) {
		return best, nil
	}
	shared, err := best.expanded(best.whole.Room.With(sharing))
	if err != nil {
		return nil, err
	}
	switch found, _, err := shared.concurrency(ctx, options); {
	case isl.IsLimit(err) || err == nil && found.Beside < most.Beside:
		return best, nil
	case err != nil:
		return nil, err
	}
	return shared, nil
}

// comesFromMemory says whether no cache has the expanded arrays of a target in the run that is meant, some made of arrays, although no threads share out the loops for whose
// iterations they have elements: those of one iteration may be in a cache. Covariances of 4096 Kalman filters in 64 steps, 40 MiB then, take twice as long so on one thread of
// an AMD Zen 4.
func (t *target) comesFromMemory(found transform.Concurrency, options transform.Options) bool {
	isOfArray := func(e scop.Expansion) bool {
		array := t.written.Array(e.Array)
		return array != nil && len(array.Extents) > 0
	}
	if !found.Whole || found.Shared > 0 || !slices.ContainsFunc(t.whole.Expansions, isOfArray) {
		return false
	}
	bytes, err := t.whole.ExpandedBytes(t.run.Parameters)
	return err == nil && bytes > int64(options.LastCache())
}

// otherMemory are the programs among which expandWherePays chooses besides that of the target: with temporaries in
// elements of arrays, and in arrays of their own, as far as the user does not say. What few instances use stays
// in variables: memory is slower than what lanes win. Arrays for iterations of the outermost loop alone come before those for all that may have them.
func (o *targetOptions) otherMemory(t *target) (others []*target, err error) {
	if !t.mayExpand() {
		return nil, nil
	}
	if !o.inplace.given && !o.expand.given {
		placed, err := t.placed()
		if err != nil {
			return nil, err
		}
		if len(placed.whole.Placements) > 0 {
			others = append(others, placed)
		}
	}
	if !o.expand.given {
		for _, room := range []scop.Room{{Bytes: modelMemory, Outermost: true}, {Bytes: modelMemory, Sums: true}} {
			expanded, err := t.expanded(room)
			if err != nil {
				return nil, err
			}
			if len(expanded.whole.Expansions) > 0 && !expanded.needsMoreMemory() {
				others = append(others, expanded)
			}
		}
	}
	return others, nil
}

// mayExpand says whether statements in two loops or more use a temporary, or an array that is
// set again.
func (t *target) mayExpand() bool {
	return slices.ContainsFunc(t.written.Statements, func(s scop.Statement) bool {
		return s.Depth() > 1 && slices.ContainsFunc(s.Accesses, func(a scop.Access) bool {
			array := t.written.Array(a.Array)
			return array.Temporary || t.written.SetsAgain(array)
		})
	})
}

// needsMoreMemory says whether the expanded arrays are known to take more than they may in the run that
// is meant: the code would run the region as it is written.
func (t *target) needsMoreMemory() bool {
	bytes, err := t.whole.ExpandedBytes(t.run.Parameters)
	return err == nil && bytes > t.whole.Room.Bytes
}

// concurrency says how the models run the deepest statements, as transform.ConcurrencyOf does, and which iterations could
// share elements of expanded arrays, as transform.SharedElements does.
func (t *target) concurrency(ctx context.Context, options transform.Options) (found transform.Concurrency, sharing scop.Sharing, err error) {
	nests, err := t.choose(ctx, decidingPartition, 1)
	if err != nil {
		return found, nil, err
	}
	if err = t.complete(&options); err != nil {
		return found, nil, err
	}
	err = t.withGraph(ctx, func(g *depend.Graph) error {
		recipe, err := transform.TransformNest(g, nests[0], options)
		if err != nil {
			return err
		}
		if found, err = transform.ConcurrencyOf(g.Model, recipe); err == nil {
			sharing, err = transform.SharedElements(g.Model.Program, recipe)
		}
		return err
	})
	return found, sharing, err
}

// memoryLimits bound isl's work for one attempt at other memory for temporaries, or at a program without the source's loops over tiles: there is one without these, too.
var memoryLimits = limits{operations: attemptLimits.operations / 3, time: attemptLimits.time / 4}

// withinAttempt calls a function with the region's model, within memoryLimits. That isl needs too long there is no error.
func withinAttempt(region *frontend.Region, a *timeShare, use func(m *scop.Model) error) error {
	ctx, _, end := limitedContext(context.Background(), memoryLimits.of(region.Program), a)
	defer end()
	model, err := region.Program.Model(ctx)
	if err == nil {
		err = use(model)
	}
	if isl.IsLimit(err) {
		return nil
	}
	return err
}

// expand gives the region's temporaries room in arrays.
func expand(region *frontend.Region, a *timeShare, room scop.Room) error {
	return withinAttempt(region, a, func(m *scop.Model) error {
		program, err := depend.Expand(m, region.Names, room)
		if err == nil {
			region.Program = program
		}
		return err
	})
}

// expansionReport is an expanded array in the JSON document of tune transform.
type expansionReport struct {
	Array      string   `json:"array"`
	Name       string   `json:"name"`
	Statements []string `json:"statements"`
	// Extents are C expressions of the program's parameters, those of the
	// temporary itself last; an element has ElementBytes.
	Extents      []string `json:"extents"`
	ElementBytes int      `json:"element_bytes"`
}

func reportExpansions(p *scop.Program) []expansionReport {
	var list []expansionReport
	for _, e := range p.Expansions {
		list = append(list, expansionReport{Array: e.Array, Name: e.Name, Statements: statementNames(p, e.Statements),
			Extents: e.Spelled, ElementBytes: p.Array(e.Name).Size})
	}
	return list
}

// expansionBytes is what the expanded arrays take together, by the names of the
// benchmark's sizes; empty for other targets.
func (t *target) expansionBytes() map[string]int64 {
	bytes := map[string]int64{}
	if t.benchmark == nil || len(t.whole.Expansions) == 0 {
		return bytes
	}
	for size, values := range t.benchmark.Sizes {
		if n, err := t.whole.ExpandedBytes(values); err == nil {
			bytes[size] = n
		}
	}
	return bytes
}

// quotient is one in isl's notation, which rounds down; extents are not negative.
var quotient = regexp.MustCompile(`floord\(([^(),]+), ([^(),]+)\)`)

// spelledArray is an array with its extents in C.
func spelledArray(name string, extents []string) string {
	return fmt.Sprintf("%s[%s]", name, quotient.ReplaceAllString(strings.Join(extents, "]["), "(($1) / $2)"))
}

// noteAssumed says for which parameters the code is, unless that has been told.
func (t *target) noteAssumed(w io.Writer, told string) {
	if condition := t.assumedText(); condition != "" && condition != told {
		fmt.Fprintf(w, "tune: %s: the code is for %s, and runs the region as it is written otherwise\n", t.name, condition)
	}
}

// noteExpansions says which temporaries have been expanded, and the memory that
// a benchmark's take at each size.
func (t *target) noteExpansions(w io.Writer) {
	for _, l := range t.whole.Placements {
		fmt.Fprintf(w, "tune: %s: %s\n", t.name, l)
	}
	for _, e := range t.whole.Expansions {
		fmt.Fprintf(w, "tune: %s: %s becomes %s\n", t.name, e.Array, spelledArray(e.Name, e.Spelled))
	}
	bytes := t.expansionBytes()
	var words []string
	for _, size := range benchmarks.SizeNames {
		if n, known := bytes[size]; known {
			words = append(words, fmt.Sprintf("%d at size %s", n, size))
		}
	}
	if len(words) > 0 {
		fmt.Fprintf(w, "tune: %s: bytes of these arrays: %s\n", t.name, strings.Join(words, ", "))
	}
}

// assumedText is what the program assumes of its parameters, "" for nothing.
func (t *target) assumedText() string {
	_, condition, _ := strings.Cut(t.whole.Assumed, ":")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(condition), "}"))
}
