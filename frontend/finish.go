package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// finish writes the isl text, now that all parameters are known.
func (x *extractor) finish(name string) (*scop.Program, error) {
	program := &scop.Program{Name: name, Function: x.functionOf(x.function)}
	front := x.frontFacts()
	for _, p := range x.parameters {
		program.Parameters = append(program.Parameters, p.name)
		if p.spelling != p.name {
			if program.Spellings == nil {
				program.Spellings = map[string]string{}
			}
			program.Spellings[p.name] = p.spelling
		}
		if kind := dataType(p.typ); kind != "int" {
			if program.ParameterTypes == nil {
				program.ParameterTypes = map[string]string{}
			}
			program.ParameterTypes[p.name] = kind
		}
	}
	writer := &islWriter{parameters: program.Parameters}
	program.Context = writer.context(append(x.knownFacts(), x.extentFacts()...))
	used := map[*arrayInfo]bool{}
	for _, draft := range x.statements {
		s := draft.Statement
		s.Domain = writer.set(s.Name, draft.names, draft.domain)
		for _, r := range draft.references {
			if !r.write && r.array.members == "" && x.isParameter(r.array.declarator) {
				continue
			}
			used[r.array] = true
			s.Accesses = append(s.Accesses, scop.Access{
				Array: r.array.Name, Read: r.read, Write: r.write, May: r.may,
				Relation: writer.relation(s.Name, draft.names, r),
				Datum:    r.datum,
				Line:     r.where.Line, Column: r.where.Column,
			})
		}
		program.Statements = append(program.Statements, s)
	}
	if err := x.nameStatements(program); err != nil {
		return nil, err
	}
	for _, a := range x.arrays {
		if used[a] {
			a.Passed = x.lengthPassed(a)
			program.Arrays = append(program.Arrays, a.Array)
		}
	}
	program.Locals = x.declarations(used)
	program.Context = x.withinArrays(program, writer)
	x.assume(program, writer)
	program.Promised = x.promised(program, writer, front)
	x.noteIdle(program)
	x.markTemporaries(program)
	for k, draft := range x.statements {
		s := &program.Statements[k]
		if s.Reduction = x.reductionOf(program, s, draft); s.Reduction == nil {
			s.Reduction = x.scatterOf(program, s, draft)
			continue
		}
		d, _ := resolve(draft.update.accumulator)
		s.Reduction.Permitted = x.permitted(s.Reduction, d.variable, draft.offset)
		x.noteSpan(program, draft, s.Reduction, d.variable)
		s.Reduction.Wraps = wrapping(program, draft, s.Reduction, []*updateForm{draft.update})
	}
	return program, nil
}

// declarations are those of the region's own variables that its statements
// mention.
func (x *extractor) declarations(used map[*arrayInfo]bool) []scop.Local {
	var list []scop.Local
	for _, l := range x.locals {
		mentioned := len(x.facts.uses[l.declarator]) > 0 && !x.facts.isIterator(l.declarator)
		for a := range used {
			mentioned = mentioned || a.declarator == l.declarator
		}
		local := scop.Local{Name: l.name, Declaration: l.text(), Loops: l.loops}
		if mentioned && !x.copies[l.declarator] && !slices.Contains(list, local) {
			list = append(list, local)
		}
	}
	return list
}

// knownFacts are conditions on the parameters that C's types imply.
func (x *extractor) knownFacts() []formula {
	var known []formula
	for _, p := range x.parameters {
		known = append(known, rangeOf(p.typ, variableForm(p.name))...)
	}
	return known
}

// rangeOf are the bounds that a type sets to a value, where they are of use:
// that an unsigned value is not negative, and both for types narrower than
// int.
func rangeOf(t cc.Type, value linear) []formula {
	least, greatest, narrow := typeRange(t)
	switch {
	case narrow:
		return []formula{between(least, value, greatest)}
	case isUnsigned(t):
		return []formula{comparison{value, ">=", constantForm(0)}}
	}
	return nil
}

func between(least int64, value linear, greatest int64) formula {
	return and(comparison{value, ">=", constantForm(least)}, comparison{value, "<=", constantForm(greatest)})
}

// typeRange are the least and the greatest value of an integer type; narrow
// says that it is narrower than int.
func typeRange(t cc.Type) (least, greatest int64, narrow bool) {
	if t.Kind() == cc.Bool {
		return 0, 1, true
	}
	bits := uint(8 * t.Size())
	if bits >= 64 {
		return 0, 0, false
	}
	if isUnsigned(t) {
		return 0, 1<<bits - 1, bits < 32
	}
	return -1 << (bits - 1), 1<<(bits-1) - 1, bits < 32
}

// extentFacts are conditions on the parameters that are extents of arrays: no
// array has a negative one. C wants them positive, but programs that never
// touch an array of extent zero work, and shall go on to.
func (x *extractor) extentFacts() []formula {
	var known []formula
	for _, p := range x.parameters {
		isExtent := slices.ContainsFunc(x.arrays, func(a *arrayInfo) bool { return a.rows == nil && slices.Contains(a.Extents, p.spelling) })
		if isExtent && p.place == "" && !isUnsigned(p.typ) {
			known = append(known, comparison{variableForm(p.name), ">=", constantForm(0)})
		}
	}
	return known
}
