package boxes

import (
	"fmt"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// execution is how often a statement runs below a node.
type execution struct {
	statement *scop.StatementModel
	// instances are those in the schedule, and contraction relates them to the program's.
	instances   *isl.Set
	contraction *isl.Map
	// times relates instances in the schedule to the values of the loops around, and who to these and
	// the numbers of threads.
	times, who *isl.Map
	// runs relates the program's instances to those.
	runs *isl.Map
}

// executions finds how often statements run below the node of a box, once for all boxes there.
func (f *finder) executions(box *Box, p place) ([]execution, error) {
	isOwn := box.Memory == mark.Own
	if known, is := p.code[isOwn]; is {
		return known, nil
	}
	var all []execution
	for _, times := range box.Node.PrefixScheduleUnionMap().IntersectDomain(box.Node.Domain()).Maps() {
		name := times.TupleName(isl.DimIn)
		s := f.model.Statement(name)
		if s == nil || times.Dim(isl.DimIn) < s.Depth() {
			return nil, fmt.Errorf("the program has no statement %q with %d iterators", name, times.Dim(isl.DimIn))
		}
		e := execution{statement: s, instances: times.Domain(), times: times, who: times}
		e.contraction = e.instances.Contraction(e.instances.Dim(isl.DimSet)-s.Depth()).SetTupleName(isl.DimOut, name)
		for d := range Dimensions {
			e.who = e.who.FlatRangeProduct(f.userOf(box, e.instances, d))
		}
		e.runs = e.contraction.Reverse().ApplyRange(e.who)
		all = append(all, e)
	}
	p.code[isOwn] = all
	return all, nil
}

// uses finds what the code below a box uses.
func (f *finder) uses(box *Box, p place) error {
	all, err := f.executions(box, p)
	if err != nil {
		return err
	}
	executions := map[string]*isl.Map{}
	for _, e := range all {
		s := e.statement
		box.executions[s.Name] = e.times.Range().Coalesce()
		executions[s.Name] = e.runs
		for k, access := range s.Statement.Accesses {
			if access.Array != box.Array {
				continue
			}
			access, elements := access, e.contraction.ApplyRange(s.Accesses[k])
			by := func(which *isl.Map) *isl.Map {
				return which.Reverse().ApplyRange(elements).SetTupleName(isl.DimOut, box.Array).Coalesce()
			}
			use := Use{Statement: s, Access: access, Number: k, Reference: f.model.Program.Reference(s, k), Elements: by(e.who), relation: s.Accesses[k]}
			if box.Overlapped != nil {
				use.Stored, use.First = by(e.who.IntersectDomain(f.among(e.instances, box.Overlapped.Stored))), by(e.who.IntersectDomain(f.among(e.instances, box.Overlapped.First)))
			}
			if box.Takes(use.Reference) {
				box.Uses = append(box.Uses, use)
			} else {
				box.Others = append(box.Others, use)
			}
		}
	}
	box.findLast(f.model, executions)
	return box.findFresh(f.model, executions)
}

// among are those of some instances that a text in isl's notation has, too.
func (f *finder) among(instances *isl.Set, text string) *isl.Set {
	for _, set := range f.model.Context.ReadUnionSet(text).Sets() {
		if set.TupleName() == instances.TupleName() {
			return instances.Intersect(set)
		}
	}
	return instances.Subtract(instances)
}

// userOf relates instances to the number of the thread along a dimension whose elements a box has:
// its own in private memory, and 0 in others, which are all threads' and where sets without numbers
// of threads are much simpler.
func (f *finder) userOf(box *Box, instances *isl.Set, dimension int) *isl.Map {
	if box.Memory != mark.Own {
		return instances.MapTo(f.model.Context.ReadSet("{ [0] }"))
	}
	return f.threadOf(instances, dimension)
}

// threadOf relates instances to the number of their thread along a dimension: 0 in no loop that
// threads share.
func (f *finder) threadOf(instances *isl.Set, dimension int) *isl.Map {
	shared := f.threads[dimension][instances.TupleName()]
	rest := instances
	if shared != nil {
		shared = shared.IntersectDomain(instances)
		rest = rest.Subtract(shared.Domain())
	}
	zero := rest.MapTo(f.model.Context.ReadSet("{ [0] }"))
	if shared == nil {
		return zero
	}
	return zero.Union(shared).Coalesce()
}
