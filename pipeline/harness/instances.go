package harness

import (
	"polytune/isl/points"
	"polytune/scop"
)

// checkInstances is how many instances of statements run where results are compared, if there are
// sizes with which fewer do: seven loops of 37 iterations and more take minutes for each variant.
const checkInstances = 1 << 28

// instancesAt is about how many instances of a model's statements run at the parameters' values.
func instancesAt(m *scop.Model, values map[string]int) (float64, error) {
	defer m.Context.Release(m.Context.Mark())
	sum := 0.0
	for _, s := range m.Statements {
		count, err := points.In(scop.At(s.Domain, values))
		if err != nil {
			return 0, err
		}
		sum += count.Value
	}
	return sum, nil
}
