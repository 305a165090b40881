package main

import (
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"polytune/space"
)

// spaceReport is the JSON document of tune space.
type spaceReport struct {
	Kernel      string `json:"kernel"`
	Statements  int    `json:"statements"`
	Loops       int    `json:"loops"`
	Refs        int    `json:"refs"`
	Dependences int    `json:"dependences"`
	Partitions  string `json:"partitions"`
	// Legal is the number of legal partitions, or, when Estimate is not nil,
	// how many were listed before counting was given up.
	Legal    *big.Int           `json:"legal"`
	Estimate *estimateReport    `json:"legal_estimate,omitempty"`
	Mode     string             `json:"mode"`
	Encoding encodingReport     `json:"encoding"`
	Seconds  map[string]float64 `json:"seconds"`
	Work     workReport         `json:"work"`
	// Sample says how classes were drawn at random, "" when they were not.
	Sample  string            `json:"sample,omitempty"`
	Classes []space.Partition `json:"classes"`
}

// estimateReport is a guess at the number of partitions and its standard
// error.
type estimateReport struct {
	Count         float64 `json:"count"`
	StandardError float64 `json:"standard_error"`
}

type encodingReport struct {
	Variables   int `json:"variables"`
	Constraints int `json:"constraints"`
}

// workReport says how much work the listing was: sets of statements whose
// fusibility had to be decided, and beginnings of vectors given up.
type workReport struct {
	Questions int `json:"questions"`
	DeadEnds  int `json:"dead_ends"`
}

// descentsForEstimate is the number of random descents from which the number
// of partitions is guessed where it cannot be counted.
const descentsForEstimate = 300

// programReport is what is told of a space before anything of it is listed.
func (s *analyzedSpace) programReport() *spaceReport {
	program := s.target.region.Program
	encoding := s.space.Encoding()
	return &spaceReport{
		Kernel: s.target.name, Mode: s.mode.String(),
		Statements: len(program.Statements), Loops: program.LoopCount(), Refs: program.ReferenceCount(), Dependences: s.dependences,
		Partitions: space.Total(encoding.Statements).String(),
		Encoding:   encodingReport{encoding.Variables(), encoding.ConstraintCount()},
		Classes:    []space.Partition{},
	}
}

// addWork says how long the space took so far, and how much work it was.
func (r *spaceReport) addWork(s *analyzedSpace) {
	fusibility, enumeration := s.space.Seconds()
	r.Seconds = map[string]float64{"dependences": s.seconds, "fusibility": fusibility, "enumeration": enumeration}
	statistics := s.space.Statistics()
	r.Work = workReport{statistics.Questions, statistics.DeadEnds}
}

// report lists up to the limit, and counts all.
func (o *spaceOptions) report(s *analyzedSpace) (*spaceReport, error) {
	r := s.programReport()
	complete, err := o.list(s.space, r)
	if err != nil {
		return nil, err
	}
	if err := o.count(s.space, r, complete); err != nil {
		return nil, err
	}
	r.addWork(s)
	return r, nil
}

// list adds up to the limit of partitions, and says whether those are all of
// the space.
func (o *spaceOptions) list(s *space.Space, r *spaceReport) (complete bool, err error) {
	if o.sample > 0 {
		return false, o.draw(s, r)
	}
	sequence := s.All()
	if o.after != "" {
		start, err := space.ParsePartition(o.after, s.Names())
		if err != nil {
			return false, usageError(err)
		}
		sequence = s.After(start)
	}
	for p, err := range sequence {
		if err != nil {
			return false, err
		}
		if len(r.Classes) == o.limit {
			return false, nil
		}
		r.Classes = append(r.Classes, p)
	}
	return o.after == "", nil
}

// draw adds a random sample, in lexicographic order.
func (o *spaceOptions) draw(s *space.Space, r *spaceReport) error {
	drawn, exact, err := s.Sample(o.random(), o.sample)
	slices.SortFunc(drawn, space.Partition.Compare)
	r.Classes, r.Sample = drawn, "nearly uniform"
	if exact {
		r.Sample = "uniform"
	}
	return err
}

func (o *spaceOptions) random() *rand.Rand { return rand.New(rand.NewPCG(o.seed, 0)) }

// count finds the number of partitions: those listed when they are complete.
func (o *spaceOptions) count(s *space.Space, r *spaceReport, complete bool) error {
	r.Legal = big.NewInt(int64(len(r.Classes)))
	if complete {
		return nil
	}
	count, ok, err := s.Count(space.DefaultBudget)
	if err != nil {
		return err
	}
	if ok {
		r.Legal = count
		return nil
	}
	guess, err := s.Estimate(o.random(), descentsForEstimate)
	if err != nil {
		return err
	}
	r.Estimate = &estimateReport{}
	r.Estimate.Count, _ = guess.Count.Float64()
	r.Estimate.StandardError, _ = guess.StandardError.Float64()
	return nil
}

// legal is the number for people.
func (r *spaceReport) legal() string {
	if r.Estimate != nil {
		return fmt.Sprintf("about %.2g (standard error %.1g)", r.Estimate.Count, r.Estimate.StandardError)
	}
	return r.Legal.String()
}

func (r *spaceReport) printProgram(w io.Writer) {
	fmt.Fprintf(w, "%s: %d loops, %d statements, %d references, %d dependences\n", r.Kernel, r.Loops, r.Statements, r.Refs, r.Dependences)
}

func (r *spaceReport) print(w io.Writer, names []string, withTime bool) error {
	r.printProgram(w)
	fmt.Fprintf(w, "%s legal of %s partitions (mode %s)\n", r.legal(), r.Partitions, r.Mode)
	if r.Sample != "" {
		fmt.Fprintf(w, "%d of them, a %s random sample:\n", len(r.Classes), r.Sample)
	}
	for _, p := range r.Classes {
		fmt.Fprintf(w, "  %s  %s\n", p, p.Drawing(names))
	}
	if r.Sample == "" && (r.Estimate != nil || r.Legal.Cmp(big.NewInt(int64(len(r.Classes)))) > 0) {
		r.printHowToGoOn(w)
	}
	if withTime {
		fmt.Fprintf(w, "dependences %.3f s, fusibility %.3f s for %d sets, listing and counting %.3f s with %d dead ends\n",
			r.Seconds["dependences"], r.Seconds["fusibility"], r.Work.Questions, r.Seconds["enumeration"], r.Work.DeadEnds)
	}
	return nil
}

func (r *spaceReport) printHowToGoOn(w io.Writer) {
	if len(r.Classes) == 0 {
		return
	}
	fmt.Fprintf(w, "  … (--limit lists more at once, --after %s the next ones)\n", r.Classes[len(r.Classes)-1])
}

// printTable counts the spaces of several targets, with the columns of Figure
// 6 of the SC'10 paper: its #valid is mode sc10.
func (o *spaceOptions) printTable(w io.Writer, targets []*target) error {
	modes := []string{o.target.space.mode}
	if o.bothModes {
		modes = []string{space.Exact.String(), space.SC10.String()}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer table.Flush()
	fmt.Fprint(table, "KERNEL\tLOOPS\tSTMTS\tREFS\tDEPS\tPARTITIONS")
	for _, mode := range modes {
		fmt.Fprintf(table, "\tVALID (%s)", mode)
	}
	if o.time {
		fmt.Fprint(table, "\tSECONDS")
	}
	fmt.Fprintln(table)
	for _, t := range targets {
		if err := o.printRow(table, t, modes); err != nil {
			return err
		}
	}
	return nil
}

// inMode is the target with the space of another mode.
func (t *target) inMode(mode string) *target {
	flags, other := *t.partitions, *t
	flags.mode = mode
	other.partitions = &flags
	return &other
}

func (o *spaceOptions) printRow(w io.Writer, t *target, modes []string) error {
	row := *o
	row.limit, row.sample = 0, 0
	seconds := 0.0
	for k, mode := range modes {
		err := row.inSpace(t.inMode(mode), func(s *analyzedSpace) error {
			r, err := row.report(s)
			if err != nil {
				return err
			}
			if k == 0 {
				fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s", r.Kernel, r.Loops, r.Statements, r.Refs, r.Dependences, r.Partitions)
			}
			for _, part := range r.Seconds {
				seconds += part
			}
			_, err = fmt.Fprintf(w, "\t%s", r.legal())
			return err
		})
		if err != nil {
			return err
		}
	}
	if o.time {
		fmt.Fprintf(w, "\t%.3f", seconds)
	}
	_, err := fmt.Fprintln(w)
	return err
}
