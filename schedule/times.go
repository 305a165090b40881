package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"polytune/isl"
	"polytune/scop"
)

// Times are the values that loops have for the instances of a statement, one for each loop.
type Times struct {
	Values []Quasi
	// Mapped are the places of values that no quasi-affine expression says for all instances; Values
	// have 0 there. Map has all values, in isl's text.
	Mapped []int
	Map    string
	// Numbers are, by their places, those of these values that are a few numbers alone, such as those
	// of pieces that run one after the other: the numbers in ascending order.
	Numbers map[int][]int64
	// Written are the maps of a statement with such values as somebody has written them.
	Written string
}

// MapText is the map of a statement's instances to all values in isl's text.
func (t Times) MapText(p *scop.Program, s int) string {
	if t.Map != "" {
		return t.Map
	}
	return p.ParametersText() + "{ " + valuesText(p, s, p.Statements[s].Name, t.Values) + " }"
}

// NumbersAt are the numbers that the k-th values are; nil where they are no few numbers.
func (t Times) NumbersAt(k int) []int64 {
	if number, is := t.IsNumber(k); is {
		return []int64{number}
	}
	return t.Numbers[k]
}

// IsNumber says whether the k-th value is one number, and which.
func (t Times) IsNumber(k int) (number int64, is bool) {
	if slices.Contains(t.Mapped, k) {
		return 0, false
	}
	return t.Values[k].IsConstant()
}

// What isl may take for the maps of one statement.
const (
	timesOperations = 50_000_000
	timesLimit      = 30 * time.Second
)

// readTimes has isl read the maps of a statement, each as it is written.
func readTimes(p *scop.Program, s int, maps []writtenMap) (times Times, err error) {
	c := isl.NewContext()
	defer c.Close()
	defer c.Limit(timesOperations, timesLimit)()
	name := p.Statements[s].Spelling()
	var written, texts []string
	for _, m := range maps {
		written = append(written, m.text(name))
		texts = append(texts, m.text(p.Statements[s].Name))
	}
	err = c.Sound(func() error {
		all := c.ReadMap(p.ParametersText() + "{ " + strings.Join(texts, "; ") + " }")
		if invalid := c.Err(); invalid != nil && !isl.IsLimit(invalid) {
			c.TakeErr()
			return fmt.Errorf("isl cannot read the maps of %s, %s: %w", name, strings.Join(written, "; "), invalid)
		}
		domain := c.ReadSet(p.Statements[s].Domain).IntersectParams(c.ReadSet(p.Context)).Coalesce()
		if err := CheckTimes(name, all, domain); err != nil {
			return err
		}
		same := c.ReadMap(fmt.Sprintf("%s{ %s -> %[2]s }", p.ParametersText(), p.InstanceText(s)))
		times, err = timesOf(p, s, same.ApplyRange(all).IntersectDomain(domain).Coalesce(), domain)
		return err
	})
	if isl.IsLimit(err) {
		err = fmt.Errorf("isl needs too long for the maps of %s: %w", name, err)
	}
	if err == nil && len(times.Mapped) > 0 {
		times.Written = strings.Join(written, "; ")
	}
	return times, err
}

// CheckTimes says why a map does not give each instance of a statement one time, or nil.
func CheckTimes(name string, times *isl.Map, domain *isl.Set) error {
	missing := domain.Subtract(times.Domain())
	if none, err := missing.IsEmpty(); err != nil {
		return err
	} else if !none {
		return fmt.Errorf("instances of %s have no time, and would not run: for example %s", name, missing.Sample())
	}
	times = times.IntersectDomain(domain)
	if single, err := times.IsSingleValued(); err != nil {
		return err
	} else if !single {
		return fmt.Errorf("instances of %s have several times, and would run more than once: %s", name, undetermined(times))
	}
	return nil
}

// undetermined is what an instance has several values of.
func undetermined(times *isl.Map) string {
	for k := range times.Dim(isl.DimOut) {
		if single, err := valuesAt(times, k).IsSingleValued(); err == nil && !single {
			return fmt.Sprintf("the iterators do not determine value number %d", k+1)
		}
	}
	return "some instance has two of them"
}

// valuesAt are the k-th values alone.
func valuesAt(times *isl.Map, k int) *isl.Map {
	behind := k + 1
	return times.ProjectOut(isl.DimOut, behind, times.Dim(isl.DimOut)-behind).ProjectOut(isl.DimOut, 0, k)
}

// timesOf are the times that a map gives a statement's instances.
func timesOf(p *scop.Program, s int, all *isl.Map, domain *isl.Set) (times Times, err error) {
	iterators := p.IteratorNames(s)
	for k := range all.Dim(isl.DimOut) {
		own := valuesAt(all, k).Coalesce()
		value := Quasi{Row: Row{Iterators: make([]int64, len(iterators)), Parameters: make([]int64, len(p.Parameters))}}
		plain, err := plainValue(own, domain, iterators, p.Parameters)
		if err == nil {
			value = plain
		} else {
			if err := checkFactors(own); err != nil {
				return times, err
			}
			times.Mapped = append(times.Mapped, k)
			if numbers := numbersOf(own.IntersectDomain(domain).Range()); numbers != nil {
				if times.Numbers == nil {
					times.Numbers = map[int][]int64{}
				}
				times.Numbers[k] = numbers
			}
		}
		times.Values = append(times.Values, value)
	}
	if len(times.Mapped) > 0 {
		times.Map = all.String()
	}
	return times, domain.Context().Err()
}

// mostCounted bounds the numbers of a value, each of which gets code of its own.
const mostCounted = 16

// numbersOf are the numbers in a set, in ascending order; nil where there may be many.
func numbersOf(values *isl.Set) (numbers []int64) {
	values = values.ProjectOut(isl.DimParam, 0, values.Dim(isl.DimParam)).Coalesce()
	greatest, bounded, err := values.Greatest()
	if err != nil || !bounded || greatest >= mostCounted {
		return nil
	}
	points, err := values.Points(2 * mostCounted)
	if err != nil {
		return nil
	}
	for _, point := range points {
		numbers = append(numbers, point[0])
	}
	slices.Sort(numbers)
	return numbers
}

// plainValue is the one expression that says the values of a map; an error says that there is none.
// It is that of one of the pieces, most often of the last one, where isl has found simpler ones for
// instances of which more is known.
func plainValue(values *isl.Map, domain *isl.Set, iterators, parameters []string) (value Quasi, err error) {
	pieces := values.Pieces(domain)
	for _, piece := range slices.Backward(pieces) {
		instance, text, _ := strings.Cut(piece.Values, "] -> [")
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "}"))
		if value, err = parseQuasi(strings.TrimSuffix(text, "]"), iterators, parameters); err != nil || len(pieces) == 1 {
			return value, err
		}
		everywhere := domain.Context().ReadMap(fmt.Sprintf("%s] -> [%s] }", instance, value.Text(iterators, parameters))).IntersectDomain(domain)
		if same, err := everywhere.IsEqual(values); err != nil || same {
			return value, err
		}
	}
	return value, fmt.Errorf("%d pieces", len(pieces))
}

// checkFactors refuses maps with factors that rows may not have.
func checkFactors(m *isl.Map) error {
	for _, part := range m.Wrap().BasicSets() {
		equalities, inequalities, err := part.Constraints()
		if err != nil {
			return err
		}
		for _, constraint := range slices.Concat(equalities, inequalities) {
			for _, c := range constraint[:len(constraint)-1] {
				if max(c, -c) > MaxFactor {
					return fmt.Errorf("%d is too large: a factor here is %d at most", c, MaxFactor)
				}
			}
		}
	}
	return nil
}
