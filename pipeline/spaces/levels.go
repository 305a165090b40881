package spaces

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"

	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/space"
)

// levelsReport is the JSON document of tune space --levels N: that of the
// outermost level without its classes, and the nests.
type levelsReport struct {
	*Report
	Levels int `json:"levels"`
	// Legal is the number of nests, or, when LegalIsAtLeast, how many were
	// listed before counting was given up.
	Legal          *big.Int `json:"legal"`
	LegalIsAtLeast bool     `json:"legal_is_at_least,omitempty"`
	// Incomplete are classes with so many choices of loops that not all were
	// looked at: nests may be missing.
	Incomplete []string     `json:"incomplete,omitempty"`
	Nests      []space.Nest `json:"nests"`
}

// nestBudget bounds the work of counting nests that are too many to list.
const nestBudget = 10_000

// describeLevels prints a space of several levels.
func (o *Options) describeLevels(w io.Writer, s *analyzedSpace) error {
	r := levelsReport{Report: s.programReport(), Levels: s.levels.Depth(), Nests: []space.Nest{}}
	start := time.Now()
	if err := o.listNests(s.levels, &r); err != nil {
		return err
	}
	if err := o.countNests(s.levels, &r); err != nil {
		return err
	}
	r.addWork(s)
	r.Seconds["levels"] = time.Since(start).Seconds()
	r.Incomplete = s.levels.Incomplete()
	if o.JSON {
		return jsondoc.Write(w, r)
	}
	r.print(w, s.levels.Names(), o.Time)
	return nil
}

// listNests adds nests up to the limit.
func (o *Options) listNests(levels *space.Levels, r *levelsReport) error {
	sequence := levels.All()
	if o.After != "" {
		start, err := o.parseNest(levels)
		if err != nil {
			return usage.Mistake(err)
		}
		sequence = levels.After(start)
	}
	for n, err := range sequence {
		if err != nil {
			return err
		}
		if len(r.Nests) == o.Limit {
			return nil
		}
		r.Nests = append(r.Nests, n)
	}
	r.ended = true
	return nil
}

// countNests finds the number of nests: those listed when they are all.
func (o *Options) countNests(levels *space.Levels, r *levelsReport) error {
	r.Legal = big.NewInt(int64(len(r.Nests)))
	if r.ended && o.After == "" {
		return nil
	}
	count, ok, err := levels.Count(nestBudget)
	if ok {
		r.Legal = count
	}
	r.LegalIsAtLeast = !ok
	return err
}

// parseNest reads the nest of --after.
func (o *Options) parseNest(levels *space.Levels) (space.Nest, error) {
	depth, statements := levels.Depth(), len(levels.Names())
	n, err := space.ParseNest(o.After)
	if err == nil && (len(n) != depth || len(n.Partition()) != statements) {
		err = fmt.Errorf("--after %s: a nest of %d levels and %d statements is written as %d vectors of %d numbers, with slashes between them",
			o.After, depth, statements, depth, statements)
	}
	return n, err
}

func (r *levelsReport) print(w io.Writer, names []string, withTime bool) {
	r.printProgram(w)
	count := r.Legal.String()
	if r.LegalIsAtLeast {
		count = "at least " + count
	}
	levels := "levels"
	if r.Levels == 1 {
		levels = "level"
	}
	fmt.Fprintf(w, "%s legal nests of %d %s (mode %s)\n", count, r.Levels, levels, r.Mode)
	for _, n := range r.Nests {
		fmt.Fprintf(w, "  %s  %s\n", n, n.Drawing(names))
	}
	if len(r.Nests) > 0 && !r.ended {
		fmt.Fprintf(w, "  … (--limit lists more at once, --after %s the next ones)\n", r.Nests[len(r.Nests)-1])
	}
	if len(r.Incomplete) > 0 {
		fmt.Fprintf(w, "some may be missing: not all choices of loops were looked at for %s\n", strings.Join(r.Incomplete, ", "))
	}
	if withTime {
		fmt.Fprintf(w, "dependences %.3f s, levels %.3f s\n", r.Seconds["dependences"], r.Seconds["levels"])
	}
}
