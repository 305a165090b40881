package depend

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/boxes"
)

// Iterations says in which iteration of some loops instances run: by statement, an isl map of its
// instances to the values of the loops.
type Iterations struct {
	Values map[int]string
	// Loops are as many iterators.
	Loops []scop.Loop
}

// Compute computes what a statement writes in iterations of loops where it is read, for each
// iteration alone: exactly the instances whose values the statements read there that run in these
// iterations, into memory of the iteration's own. Elsewhere the statement runs as before, unless
// nobody may see what it has written. The program that comes back is proven (Rewritten); in its own
// order an instance runs, once for each iteration that needs it, where it ran before.
//
// It is compute_at of Tiramisu (CGO'19, Table II and Figure 3a) for loops of any schedule.
func Compute(m *scop.Model, statement int, at Iterations) (*scop.Program, error) {
	program, err := (*scop.Program)(nil), m.Program.MayCompute(statement)
	if err != nil {
		return nil, err
	}
	err = m.Context.Sound(func() error {
		mark := m.Context.Mark()
		defer m.Context.Release(mark)
		program, err = (&computer{Model: m, statement: statement, at: at}).compute()
		return err
	})
	return program, err
}

// computer makes a program in which a statement runs in iterations of loops.
type computer struct {
	*scop.Model
	statement int
	at        Iterations
	// used are who reads what the statement writes, and readers those of them that run in the
	// iterations.
	used    *uses
	readers []int
	// needed relates the values of the loops to the instances that are computed there.
	needed *isl.Map
	// made is the array that they compute.
	made scop.Computed
}

func (c *computer) compute() (*scop.Program, error) {
	if err := c.findReaders(); err != nil {
		return nil, err
	}
	inner := &c.Statements[c.statement]
	c.made = scop.Computed{Of: c.used.array, Loops: len(c.at.Loops), Array: freshName(c.Program, nil, "tune_"+c.used.array, nil), Statement: c.statement}
	if c.isKept() {
		c.made.Statement = len(c.Program.Statements)
	}
	spelled, err := c.measure(c.needed.ApplyRange(inner.Accesses[0]).Coalesce())
	if err != nil {
		return nil, err
	}
	q := *c.Program
	q.Origin, q.Statements = c.Program, slices.Clone(c.Program.Statements)
	r := &Rewritten{Before: c.Model, Evaluations: identities(c.Model)}
	for _, reader := range c.readers {
		if q.Statements[reader], err = c.redirected(reader); err != nil {
			return nil, err
		}
	}
	again, evaluation, err := c.again()
	if err != nil {
		return nil, err
	}
	if c.made.Statement == c.statement {
		q.Statements[c.statement], r.Evaluations[c.statement] = again, []Evaluation{evaluation}
	} else {
		q.Statements, r.Evaluations = append(q.Statements, again), append(r.Evaluations, []Evaluation{evaluation})
	}
	q.AddComputed(c.made, spelled, append(slices.Clone(c.readers), c.made.Statement))
	return q.DropUnused(c.used.array), r.prove(q.DropUnused(c.used.array), c.statement)
}

// findReaders finds who reads the statement's values in the iterations, and which they need.
func (c *computer) findReaders() (err error) {
	if c.used, err = usesOf(c.Model, c.statement); err != nil {
		return err
	}
	inner := &c.Statements[c.statement]
	for _, reader := range c.used.readers() {
		text, is := c.at.Values[reader]
		if !is {
			continue
		}
		s := &c.Statements[reader]
		values := c.Context.ReadMap(text).IntersectDomain(s.Domain)
		for _, a := range c.accesses(reader) {
			if s.Statement.Accesses[a].Write {
				return fmt.Errorf("%s updates %s, and does not only read it", s.Spelling(), c.Program.Written(s, a))
			}
			needed := values.Reverse().ApplyRange(c.used.by[reader][a])
			if c.needed != nil {
				needed = c.needed.Union(needed)
			}
			c.needed = needed.Coalesce()
		}
		c.readers = append(c.readers, reader)
	}
	if len(c.readers) == 0 {
		return fmt.Errorf("no statement there reads what %s writes%s", inner.Spelling(), c.whoReads())
	}
	return nil
}

// whoReads names the statements that have values of the statement, for people.
func (c *computer) whoReads() string {
	var names []string
	for _, reader := range c.used.readers() {
		names = append(names, c.Statements[reader].Spelling())
	}
	if len(names) == 0 {
		return ""
	}
	return "; these do: " + strings.Join(names, " ")
}

// accesses are those of a reader that have values of the statement.
func (c *computer) accesses(reader int) []int {
	return slices.Sorted(maps.Keys(c.used.by[reader]))
}

// isKept says whether somebody else needs what the statement writes.
func (c *computer) isKept() bool {
	return c.used.isNeeded || len(c.used.by) > len(c.readers)
}

// measure finds the box around the elements of one iteration, and gives its extents for people.
func (c *computer) measure(elements *isl.Map) (spelled []string, err error) {
	elements = elements.IntersectParams(c.Context.ReadSet(c.Program.ParametersText() + "{ : }"))
	build := isl.NewAstBuild(c.Context.ReadSet(c.Program.ParametersText() + "{ : }"))
	for d := range elements.Dim(isl.DimOut) {
		along := elements.ProjectOut(isl.DimOut, d+1, elements.Dim(isl.DimOut)-d-1).ProjectOut(isl.DimOut, 0, d).Coalesce()
		origin, extent, known, err := boxes.Side(along)
		if err != nil {
			return nil, err
		}
		if known {
			c.made.Origins = append(c.made.Origins, origin)
			c.made.Extents = append(c.made.Extents, fmt.Sprintf("%s{ [(%d)] }", c.Program.ParametersText(), extent))
			spelled = append(spelled, fmt.Sprint(extent))
			continue
		}
		most, err := c.wholeSide(along.Range())
		if err != nil {
			return nil, err
		}
		c.made.Origins = append(c.made.Origins, scop.Row{Iterators: make([]int64, c.made.Loops), Parameters: make([]int64, len(c.Program.Parameters))})
		c.made.Extents = append(c.made.Extents, most.AtLeastZero().AddConstant(1).String())
		spelled = append(spelled, c.Program.InC(build.ExprFromPwAff(most.Extended().AddConstant(1)).String()))
	}
	return spelled, c.Context.Err()
}

// wholeSide is the greatest of some subscripts, none of which is negative.
func (c *computer) wholeSide(subscripts *isl.Set) (*isl.PwAff, error) {
	inside, err := subscripts.IsSubset(c.Context.ReadSet("{ [s] : s >= 0 }"))
	if err != nil {
		return nil, err
	}
	above, err := subscripts.HasUpperBound(0)
	if err != nil {
		return nil, err
	}
	if !inside || !above {
		return nil, fmt.Errorf("nothing bounds the elements of %s that an iteration needs", c.used.array)
	}
	return subscripts.DimMax(0), nil
}

// redirected is a reader with elements of the computed array in the place of others.
func (c *computer) redirected(reader int) (scop.Statement, error) {
	s, err := c.Program.Elsewhere(reader, &c.made, c.accesses(reader))
	if err != nil {
		return s, err
	}
	values := c.Context.ReadMap(c.at.Values[reader])
	s.Accesses = slices.Clone(s.Accesses)
	for _, a := range c.accesses(reader) {
		access := &s.Accesses[a]
		access.Array = c.made.Array
		access.Relation = values.FlatRangeProduct(c.Context.ReadMap(access.Relation)).SetTupleName(isl.DimOut, c.made.Array).String()
	}
	return s, nil
}

// again is the statement that computes the values in the iterations, and what it evaluates. Its
// iterators are those of the statement, and then the values of the loops.
func (c *computer) again() (s scop.Statement, e Evaluation, err error) {
	if s, err = c.Program.Elsewhere(c.statement, &c.made, []int{0}); err != nil {
		return s, e, err
	}
	inner := &c.Statements[c.statement]
	if c.made.Statement != c.statement {
		s.Name = fmt.Sprintf("%sat%d", inner.Name, c.made.Statement)
		s.Spelled = fmt.Sprintf("%s.%d", inner.Spelling(), c.number())
	}
	own, loops := numbered("i", inner.Depth()), numbered("l", c.made.Loops)
	instance := fmt.Sprintf("%s[%s]", s.Name, strings.Join(slices.Concat(own, loops), ", "))
	was := fmt.Sprintf("%s[%s]", inner.Name, strings.Join(own, ", "))
	flat := c.Context.ReadMap(fmt.Sprintf("{ [%s -> [%s]] -> %s }", was, strings.Join(loops, ", "), instance))
	domain := c.needed.Reverse().Wrap().Apply(flat).Coalesce()
	e = Same(c.Model, c.statement)
	e.Instances = c.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", instance, was)).IntersectDomain(domain)
	s.Domain = domain.String()
	s.Loops, s.Position = slices.Concat(s.Loops, c.at.Loops), append(slices.Clone(s.Position), make([]int, c.made.Loops)...)
	s.Accesses = slices.Clone(s.Accesses)
	values := c.Context.ReadMap(fmt.Sprintf("{ %s -> [%s] }", instance, strings.Join(loops, ", ")))
	contracted := c.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", instance, was))
	for a := range s.Accesses {
		access := &s.Accesses[a]
		relation := contracted.ApplyRange(c.Context.ReadMap(access.Relation))
		if a == 0 {
			access.Array = c.made.Array
			relation = values.FlatRangeProduct(relation).SetTupleName(isl.DimOut, c.made.Array)
		}
		access.Relation = relation.String()
	}
	return s, e, nil
}

// number is which of several statements this one is that compute the same one elsewhere, from 1.
func (c *computer) number() int {
	number := 1
	for _, other := range c.Program.Computed {
		if other.Of == c.used.array {
			number++
		}
	}
	return number
}

// sorted are the statements of a list by their places.
func (at Iterations) statements() []int { return slices.Sorted(maps.Keys(at.Values)) }

// String is what the iterations say.
func (at Iterations) String() string {
	var words []string
	for _, s := range at.statements() {
		words = append(words, fmt.Sprint(s, ": ", at.Values[s]))
	}
	for _, l := range at.Loops {
		words = append(words, cmp.Or(l.Type, "int")+" "+l.Iterator)
	}
	return strings.Join(words, "; ")
}
