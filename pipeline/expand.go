package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"polytune/benchmarks"
	"polytune/internal/pattern"
	"polytune/isl"
	"polytune/pipeline/limit"
	"polytune/scop"
	"polytune/scop/depend"
)

// Expansion is the memory that expanded temporaries may take: a number of bytes, where 0 means
// that none are expanded. As long as it is not given, the models decide.
type Expansion struct {
	Bytes int64
	Given bool
}

// memoryUnits are those of ParseMemory.
var memoryUnits = map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}

// ParseMemory reads memory such as 64MiB: a number of bytes.
func ParseMemory(text string) (int64, error) {
	digits := strings.TrimRight(text, "BKMGTi")
	unit, known := memoryUnits[text[len(digits):]]
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || number < 0 || number > 1<<62/unit {
		return 0, errors.New("memory is a whole number with one of the units B, KiB, MiB, GiB and TiB, such as 512MiB")
	}
	return number * unit, nil
}

// Expanded is the target with room for temporaries in arrays of their own.
func (t *Target) Expanded(room scop.Room) (*Target, error) {
	at := *t
	err := at.Change(room, t.Whole.Reassociate)
	return &at, err
}

// Expansions are those of the target that Expanded makes, before anything is proven; needsMore says
// whether they are known to take more memory than the room has in the run that is meant.
func (t *Target) Expansions(room scop.Room) (list []scop.Expansion, needsMore bool, err error) {
	at := *t
	at.Unit.Program = t.Written
	if at.Inplace {
		if err := at.placeTemporaries(); err != nil {
			return nil, false, err
		}
	}
	err = at.withinAttempt(func(m *scop.Model) error {
		list, err = depend.Expansions(m, at.Unit.Taken, room)
		return err
	})
	expanded := *at.Unit.Program
	expanded.Expansions = list
	bytes, unknown := expanded.ExpandedBytes(t.Run.Parameters)
	return list, unknown == nil && bytes > room.Bytes, err
}

// NeedsMoreMemory says whether the expanded arrays are known to take more than they may in the run
// that is meant: the code would run the region as it is written.
func (t *Target) NeedsMoreMemory() bool {
	bytes, err := t.Whole.ExpandedBytes(t.Run.Parameters)
	return err == nil && bytes > t.Whole.Room.Bytes
}

// withinAttempt calls a function with the model of the unit's program, within Memory. That isl
// needs too long there is no error.
func (t *Target) withinAttempt(use func(m *scop.Model) error) error {
	program := t.Unit.Program
	made := func(w *Workplace) (*scop.Model, error) { return w.model(program) }
	err := within(context.Background(), t.Place, limit.Memory.Of(program), t.Share, made, func(m *scop.Model, _ func()) error { return use(m) })
	if isl.IsLimit(err) {
		return nil
	}
	return err
}

// expand gives the target's temporaries room in arrays.
func (t *Target) expand(room scop.Room) error {
	return t.withinAttempt(func(m *scop.Model) error {
		program, err := depend.Expand(m, t.Unit.Taken, room)
		if err == nil {
			t.Unit.Program = program
		}
		return err
	})
}

// ExpansionBytes is what the expanded arrays take together, by the names of the
// benchmark's sizes; empty for other targets.
func (t *Target) ExpansionBytes() map[string]int64 {
	bytes := map[string]int64{}
	if t.Benchmark == nil || len(t.Whole.Expansions) == 0 {
		return bytes
	}
	for size, values := range t.Benchmark.Sizes {
		if n, err := t.Whole.ExpandedBytes(values); err == nil {
			bytes[size] = n
		}
	}
	return bytes
}

// quotient is one in isl's notation, which rounds down; extents are not negative.
var quotient = pattern.New(`floord\(([^(),]+), ([^(),]+)\)`)

// SpelledArray is an array with its extents in C.
func SpelledArray(name string, extents []string) string {
	return fmt.Sprintf("%s[%s]", name, quotient.ReplaceAllString(strings.Join(extents, "]["), "(($1) / $2)"))
}

// NoteAssumed says for which parameters the code is, unless that has been told.
func (t *Target) NoteAssumed(w io.Writer, told string) {
	if condition := t.AssumedText(); condition != "" && condition != told {
		fmt.Fprintf(w, "tune: %s: the code is for %s, and runs the region as it is written otherwise\n", t.Name, condition)
	}
}

// NoteExpansions says which temporaries have been expanded, and the memory that
// a benchmark's take at each size.
func (t *Target) NoteExpansions(w io.Writer) {
	for _, l := range t.Whole.Placements {
		fmt.Fprintf(w, "tune: %s: %s\n", t.Name, l)
	}
	for _, e := range t.Whole.Expansions {
		fmt.Fprintf(w, "tune: %s: %s becomes %s\n", t.Name, e.Array, SpelledArray(e.Name, e.Spelled))
	}
	bytes := t.ExpansionBytes()
	var words []string
	for _, size := range benchmarks.SizeNames {
		if n, known := bytes[size]; known {
			words = append(words, fmt.Sprintf("%d at size %s", n, size))
		}
	}
	if len(words) > 0 {
		fmt.Fprintf(w, "tune: %s: bytes of these arrays: %s\n", t.Name, strings.Join(words, ", "))
	}
}

// AssumedText is what the program assumes of its parameters, "" for nothing.
func (t *Target) AssumedText() string {
	_, condition, _ := strings.Cut(t.Whole.Assumed, ":")
	return t.Whole.InC(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(condition), "}")))
}
