package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// memoryFlag is a number of bytes, such as 64MiB.
type memoryFlag int64

// memoryUnits are those of memoryFlag.
var memoryUnits = map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}

func (m *memoryFlag) Type() string { return "memory" }

func (m *memoryFlag) String() string { return strconv.FormatInt(int64(*m), 10) }

func (m *memoryFlag) Set(text string) error {
	digits := strings.TrimRight(text, "BKMGTi")
	unit, known := memoryUnits[text[len(digits):]]
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || number < 0 || number > 1<<62/unit {
		return errors.New("memory is a whole number with one of the units B, KiB, MiB, GiB and TiB, such as 512MiB")
	}
	*m = memoryFlag(number * unit)
	return nil
}

// expandFlag adds --expand, which without a value stands for 1 GiB.
func (o *targetOptions) expandFlag(set *pflag.FlagSet) {
	set.Var(&o.expand, "expand", "give temporaries elements for each iteration of loops, in arrays that take at most so much `memory`, so that their statements need not stay together; where the arrays need more, the program runs as it is written")
	set.Lookup("expand").NoOptDefVal, set.Lookup("expand").DefValue = "1GiB", "none"
}

// changeRegion makes another program of the region's within the limits of an
// attempt at a variant. Where isl needs too long, the region stays as it is.
func changeRegion(region *frontend.Region, change func(m *scop.Model) error) error {
	limited, end := newAllowance(context.Background(), attemptLimits.time)
	defer end()
	ctx := isl.NewContext()
	defer ctx.Close()
	defer ctx.AbortOn(limited)()
	ctx.SetMaxOperations(attemptLimits.operations)
	model, err := region.Program.Model(ctx)
	if err != nil {
		return err
	}
	if err := change(model); !isl.IsLimit(err) {
		return err
	}
	return nil
}

// expand gives the region's temporaries arrays of at most limit bytes.
func expand(region *frontend.Region, limit int64) error {
	return changeRegion(region, func(m *scop.Model) error {
		program, err := depend.Expand(m, region.Names, limit)
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

// noteExpansions says which temporaries have been expanded, and the memory that
// a benchmark's take at each size.
func (t *target) noteExpansions(w io.Writer) {
	for _, e := range t.whole.Expansions {
		fmt.Fprintf(w, "tune: %s: %s becomes %s[%s]\n", t.name, e.Array, e.Name, strings.Join(e.Spelled, "]["))
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
