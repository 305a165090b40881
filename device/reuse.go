package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/flow"
)

// source says that what an access reads in a full tile, where the tile has an instance of a statement
// in a distance before, is what that instance has written.
type source struct {
	statement int
	distance  []int64
}

// access is an access of a statement, by their numbers.
type access struct{ statement, number int }

// reuse has points of a full tile that read what the same thread has computed in a step before read
// a register. Which instance wrote what another one reads is the same in each legal order (Feautrier,
// Dataflow analysis of array and scalar references, 1991), so that what other threads do does not
// matter. Tiles are those that are full.
func (f *full) reuse(core *loopir.Core, tiles *isl.Set) error {
	computed, sources := map[string]*loopir.Run{}, map[access][]source{}
	for _, s := range core.Body {
		step, is := s.(*loopir.Step)
		if !is {
			continue
		}
		var here []*loopir.Run
		for _, inside := range step.Body {
			run, is := inside.(*loopir.Run) // what only some threads run they do not know of each other
			if !is || operandsOf(f.model.Program, run.Statement.Statement) == nil {
				continue
			}
			for k, a := range run.Statement.Statement.Accesses {
				if !a.Read {
					continue
				}
				key := access{run.Statement.Index, k}
				if _, known := sources[key]; !known {
					found, err := f.sourcesOf(key, tiles)
					if err != nil {
						return err
					}
					sources[key] = found
				}
				core.Registers = readsRegister(run, k, sources[key], computed, core.Registers)
			}
			here = append(here, run)
		}
		for _, run := range here {
			computed[instanceKey(run.Statement.Index, run.At, nil)] = run
		}
	}
	return f.model.Context.Err()
}

// readsRegister has an access of an instance read the register of one of those that have been
// computed, if one is its source. It returns the number of registers.
func readsRegister(run *loopir.Run, number int, sources []source, computed map[string]*loopir.Run, registers int) int {
	for _, from := range sources {
		writer := computed[instanceKey(from.statement, run.At, from.distance)]
		if writer == nil {
			continue
		}
		if writer.Register == 0 {
			registers++
			writer.Register = registers
		}
		if run.Registers == nil {
			run.Registers = map[int]int{}
		}
		run.Registers[number] = writer.Register
	}
	return registers
}

// instanceKey is a name of the instance of a statement a distance, nil for none, before the values of
// iterators.
func instanceKey(statement int, at []*loopir.Expr, distance []int64) string {
	key := fmt.Sprint(statement)
	for k, value := range at {
		sum := linearOf(value)
		if distance != nil {
			sum.constant -= distance[k]
		}
		key += " " + sum.expression().Key()
	}
	return key
}

// sourcesOf are the sources of an access in full tiles that are constant distances away.
func (f *full) sourcesOf(a access, tiles *isl.Set) (sources []source, err error) {
	reader := &f.model.Statements[a.statement]
	values, err := flow.Of(f.model, reader.Statement.Accesses[a.number].Array)
	if err != nil {
		return nil, err
	}
	reads := reader.Accesses[a.number]
	elements := strings.Join(numbered("e", reads.Dim(isl.DimOut)), ", ")
	iterators := strings.Join(numbered("x", reader.Depth()), ", ")
	only := f.model.Context.ReadMap(fmt.Sprintf("{ [%[1]s[%[2]s] -> %[3]s[%[4]s]] -> [%[2]s] }", reader.Name, iterators, reads.TupleName(isl.DimOut), elements))
	for _, pairs := range values.Through.IntersectRange(reads.Wrap().ToUnionSet()).Maps() {
		writer := f.model.Statement(pairs.TupleName(isl.DimIn))
		if writer == nil || writer.Depth() != reader.Depth() || !slices.Contains(f.statements, writer.Index) {
			continue
		}
		from := f.iteratorsOf(writer.Index).Reverse().ApplyRange(pairs).ApplyRange(only)
		away := from.Deltas()
		distance, isOne := away.ProjectOut(isl.DimParam, 0, away.Dim(isl.DimParam)).OnlyPoint()
		if !isOne {
			continue
		}
		has, err := f.tilesHave(tiles, a.statement, source{writer.Index, distance}, from.Range())
		if err != nil {
			return nil, err
		}
		if has {
			sources = append(sources, source{writer.Index, distance})
		}
	}
	return sources, f.model.Context.Err()
}

// tilesHave says whether all instances of a statement in one of some tiles, which has the instance in the
// distance of a source, too, are among some.
func (f *full) tilesHave(tiles *isl.Set, statement int, from source, among *isl.Set) (bool, error) {
	var names, there []string
	for k, d := range from.distance {
		names, there = append(names, fmt.Sprint("x", k)), append(there, fmt.Sprintf("x%d + %d", k, d))
	}
	away := f.model.Context.ReadMap(fmt.Sprintf("{ [%s] -> [%s] }", strings.Join(names, ", "), strings.Join(there, ", ")))
	points := func(s int) *isl.Map {
		all := f.phase.Points(f.model, s, 0, f.phase.Of.Steps()).IntersectParams(f.model.Parameters)
		return all.ApplyRange(f.iteratorsOf(s))
	}
	both := points(statement).Intersect(points(from.statement).ApplyRange(away)).IntersectDomain(tiles)
	return both.Range().IsSubset(among)
}

// iteratorsOf relates the instances of a statement to the values of their iterators.
func (f *full) iteratorsOf(s int) *isl.Map {
	iterators := strings.Join(numbered("x", f.model.Statements[s].Depth()), ", ")
	return f.model.Context.ReadMap(fmt.Sprintf("{ %[1]s[%[2]s] -> [%[2]s] }", f.model.Statements[s].Name, iterators))
}
