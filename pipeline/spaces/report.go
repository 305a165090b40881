package spaces

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"

	"polytune/internal/usage"
	"polytune/pipeline/variant"
	"polytune/space"
)

// Report is the JSON document of tune space.
type Report struct {
	Kernel      string `json:"kernel"`
	Statements  int    `json:"statements"`
	Loops       int    `json:"loops"`
	Refs        int    `json:"refs"`
	Dependences int    `json:"dependences"`
	Partitions  string `json:"partitions"`
	// Legal is the number of legal partitions, or, when Estimate is not nil,
	// how many were listed before counting was given up.
	Legal    *big.Int        `json:"legal"`
	Estimate *estimateReport `json:"legal_estimate,omitempty"`
	// Target is what variants are code for, left out for processors, and Variants bounds the number
	// of points of all partitions with the axes of that.
	Target   string   `json:"target,omitempty"`
	Variants *big.Int `json:"variants,omitempty"`
	// Empty says why there is no legal partition, "" when there are some.
	Empty    string             `json:"empty,omitempty"`
	Mode     string             `json:"mode"`
	Encoding encodingReport     `json:"encoding"`
	Seconds  map[string]float64 `json:"seconds"`
	Work     workReport         `json:"work"`
	// Sample says how classes were drawn at random, "" when they were not.
	Sample  string            `json:"sample,omitempty"`
	Classes []space.Partition `json:"classes"`
	// ended says that there are no partitions after the listed ones.
	ended bool
}

// estimateReport is a guess at the number of partitions and its standard
// error.
type estimateReport struct {
	Count         Estimate `json:"count"`
	StandardError Estimate `json:"standard_error"`
}

// Estimate is a number that may be too large for 64 bits.
type Estimate struct{ *big.Float }

func (e Estimate) MarshalJSON() ([]byte, error) { return []byte(e.Text('g', 10)), nil }

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
func (s *analyzedSpace) programReport() *Report {
	program := s.target.Unit.Program
	encoding := space.Encoding{Statements: len(program.Statements)}
	return &Report{
		Kernel: s.target.Name, Mode: s.mode.String(),
		Statements: len(program.Statements), Loops: program.LoopCount(), Refs: program.ReferenceCount(), Dependences: s.dependences,
		Partitions: space.Total(encoding.Statements).String(),
		Encoding:   encodingReport{encoding.Variables(), encoding.ConstraintCount()},
		Seconds:    map[string]float64{"dependences": s.seconds},
		Classes:    []space.Partition{},
	}
}

// addWork says how long the space took besides the dependences, and how much work it was.
func (r *Report) addWork(s *analyzedSpace) {
	r.Seconds["fusibility"], r.Seconds["enumeration"] = s.space.Seconds()
	statistics := s.space.Statistics()
	r.Work = workReport{statistics.Questions, statistics.DeadEnds}
}

// report lists up to the limit, and counts all.
func (o *Options) report(s *analyzedSpace) (*Report, error) {
	r := s.programReport()
	if s.empty != nil {
		r.Legal, r.Empty = new(big.Int), s.empty.Error()
		return r, nil
	}
	if err := o.list(s.space, r); err != nil {
		return nil, err
	}
	if err := o.count(s.space, r); err != nil {
		return nil, err
	}
	r.addWork(s)
	return r, r.addTarget(s)
}

// addTarget counts the variants for a device.
func (r *Report) addTarget(s *analyzedSpace) (err error) {
	if s.target.IsOnDevice() {
		r.Target = s.target.On.Name()
		r.Variants, err = variant.CountVariants(context.Background(), s.target, variant.AxesOf(s.target, variant.ModelAxes(s.target)))
	}
	return err
}

// list adds up to the limit of partitions.
func (o *Options) list(s *space.Space, r *Report) error {
	if o.Sample > 0 {
		return o.draw(s, r)
	}
	sequence := s.All()
	if o.After != "" {
		start, err := space.ParsePartition(o.After, s.Names())
		if err != nil {
			return usage.Mistake(err)
		}
		sequence = s.After(start)
	}
	for p, err := range sequence {
		if err != nil {
			return err
		}
		if len(r.Classes) == o.Limit {
			return nil
		}
		r.Classes = append(r.Classes, p)
	}
	r.ended = true
	return nil
}

// draw adds a random sample, in lexicographic order.
func (o *Options) draw(s *space.Space, r *Report) error {
	drawn, exact, err := s.Sample(o.random(), o.Sample)
	slices.SortFunc(drawn, space.Partition.Compare)
	r.Classes, r.Sample = drawn, "nearly uniform"
	if exact {
		r.Sample = "uniform"
	}
	return err
}

func (o *Options) random() *rand.Rand { return rand.New(rand.NewPCG(o.Seed, 0)) }

// count finds the number of partitions: those listed when they are all.
func (o *Options) count(s *space.Space, r *Report) error {
	r.Legal = big.NewInt(int64(len(r.Classes)))
	if r.ended && o.After == "" {
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
	r.Estimate = &estimateReport{Estimate{guess.Count}, Estimate{guess.StandardError}}
	return nil
}

// legal is the number for people.
func (r *Report) legal() string {
	if r.Estimate != nil {
		return fmt.Sprintf("about %.2g (standard error %.1g)", r.Estimate.Count.Float, r.Estimate.StandardError.Float)
	}
	return r.Legal.String()
}

func (r *Report) printProgram(w io.Writer) {
	fmt.Fprintf(w, "%s: %d loops, %d statements, %d references, %d dependences\n", r.Kernel, r.Loops, r.Statements, r.Refs, r.Dependences)
}

func (r *Report) print(w io.Writer, names []string, withTime bool) {
	r.printProgram(w)
	fmt.Fprintf(w, "%s legal of %s partitions (mode %s)\n", r.legal(), r.Partitions, r.Mode)
	if r.Variants != nil {
		fmt.Fprintf(w, "up to %s variants for %s\n", r.Variants, r.Target)
	}
	if r.Sample != "" {
		fmt.Fprintf(w, "%d of them, a %s random sample:\n", len(r.Classes), r.Sample)
	}
	for _, p := range r.Classes {
		fmt.Fprintf(w, "  %s  %s\n", p, p.Drawing(names))
	}
	if r.Sample == "" && !r.ended && len(r.Classes) > 0 {
		fmt.Fprintf(w, "  … (--limit lists more at once, --after %s the next ones)\n", r.Classes[len(r.Classes)-1])
	}
	if withTime {
		fmt.Fprintf(w, "dependences %.3f s, fusibility %.3f s for %d sets, listing and counting %.3f s with %d dead ends\n",
			r.Seconds["dependences"], r.Seconds["fusibility"], r.Work.Questions, r.Seconds["enumeration"], r.Work.DeadEnds)
	}
}
