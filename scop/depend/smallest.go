package depend

import (
	"polytune/isl"
	"polytune/scop"
)

// Pair are two instances, with the values of the program's parameters: those of the iterators of
// the source and of the target.
type Pair struct{ Parameters, Source, Target []int64 }

// sizesTried are the values, in ascending order, that all parameters have at first in the search
// for a small example.
var sizesTried = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 72, 96, 128, 130, 200, 256, 300, 512, 1024}

// Smallest is one of the offending pairs, with parameters that cannot be smaller by themselves, and
// the first such instances; nil where there is none with all parameters alike.
func (v *Violation) Smallest(m *scop.Model) (pair *Pair, err error) {
	err = m.Context.Sound(func() (err error) {
		start := m.Context.Mark()
		defer m.Context.Release(start)
		pair, err = v.smallest(m)
		return err
	})
	return pair, err
}

func (v *Violation) smallest(m *scop.Model) (*Pair, error) {
	pairs := m.Context.ReadMap(v.all)
	sources, targets := pairs.Dim(isl.DimIn), pairs.Dim(isl.DimOut)
	offending := pairs.Wrap().IntersectParams(m.Parameters)
	values, found, err := smallestParameters(offending)
	if err != nil || !found {
		return nil, err
	}
	point, single := fixed(offending, values).Lexmin().Point()
	if !single {
		return nil, m.Context.Err()
	}
	pair := &Pair{Parameters: make([]int64, len(m.Program.Parameters))}
	for k, name := range m.Program.Parameters {
		for place, value := range values {
			if offending.DimName(isl.DimParam, place) == name {
				pair.Parameters[k] = int64(value)
			}
		}
	}
	depth := func(s int) int { return m.Program.Statements[s].Depth() }
	pair.Source = point[sources-depth(v.Dependence.Source) : sources]
	pair.Target = point[sources+targets-depth(v.Dependence.Target):]
	return pair, nil
}

// smallestParameters are values with which a set has elements: alike at first, and then each as
// small as it can be with the others as they are.
func smallestParameters(of *isl.Set) (values []int, found bool, err error) {
	values = make([]int, of.Dim(isl.DimParam))
	for _, size := range sizesTried {
		for k := range values {
			values[k] = size
		}
		empty, err := fixed(of, values).IsEmpty()
		if err != nil {
			return nil, false, err
		}
		if found = !empty; found || len(values) == 0 {
			break
		}
	}
	for k := 0; found && k < len(values); k++ {
		for _, size := range sizesTried {
			if size >= values[k] {
				break
			}
			before := values[k]
			values[k] = size
			if empty, err := fixed(of, values).IsEmpty(); err != nil {
				return nil, false, err
			} else if !empty {
				break
			}
			values[k] = before
		}
	}
	return values, found, nil
}

// fixed is a set with these values of the parameters.
func fixed(of *isl.Set, values []int) *isl.Set {
	for k, value := range values {
		of = of.FixSi(isl.DimParam, k, value)
	}
	return of
}
