package ranks

import (
	"polytune/isl"
	"polytune/scop"
)

// ArrayBlock says which part of an argument a rank uses, its own rows and the halo: the elements
// whose first subscript is from Low to High, over the program's parameters and the group's Own.
// Used are the values of these for which there are any.
type ArrayBlock struct {
	Argument  scop.Argument
	Low, High *isl.PwAff
	Used      *isl.Set
}

// arrayBlocks are those of all arrays with rows that the program uses. What code on all ranks uses
// is in all blocks.
func (p *planner) arrayBlocks() (blocks []ArrayBlock, err error) {
	for _, argument := range p.Program.Function.Arguments {
		if argument.Role != scop.Pointer || len(argument.Extents) == 0 {
			continue
		}
		var rows *isl.Set
		for _, array := range p.Program.ArraysOf(argument.Name) {
			if array.Linear || argument.Pointers > 0 || argument.ByValue {
				return nil, refused("%s has its rows in one subscript, or behind pointers, so "+
					"that a rank cannot have a block of them: declare it as %s %s[…]…, or leave "+
					"--local out", array.Spelling(), argument.Type, argument.Name)
			}
			rows = p.rowsUsed(array, rows)
		}
		if rows == nil {
			continue
		}
		rows = rows.Coalesce()
		for _, bounded := range []func(int) (bool, error){rows.HasLowerBound, rows.HasUpperBound} {
			is, err := bounded(0)
			if err == nil && !is {
				err = refused("data decide which rows of %s are used, so that a rank cannot have "+
					"a block of them: leave --local out", argument.Name)
			}
			if err != nil {
				return nil, err
			}
		}
		blocks = append(blocks, ArrayBlock{argument, rows.DimMin(0), rows.DimMax(0), rows.Params()})
	}
	return blocks, p.Context.Err()
}

// rowsUsed adds the first subscripts of an array that a rank's own instances use to others, nil for
// none.
func (p *planner) rowsUsed(array *scop.Array, rows *isl.Set) *isl.Set {
	for _, part := range p.parts {
		for name, times := range part.times {
			s := p.Statement(name)
			own := times.Domain()
			if part.mark != nil {
				if runs := p.runs(part, name, p.plan.Groups[part.mark.Group].Own); runs != nil {
					own = runs
				}
			}
			for k, access := range s.Statement.Accesses {
				if access.Array != array.Name {
					continue
				}
				of := own
				if part.summed(array.Name) {
					of = times.Domain()
				}
				used := s.Accesses[k].IntersectDomain(of).Range()
				used = used.ProjectOut(isl.DimSet, 1, used.Dim(isl.DimSet)-1).SetTupleName("")
				if rows != nil {
					used = used.Union(rows)
				}
				rows = used
			}
		}
	}
	return rows
}
