package schedule

import "testing"

// Each kind of argument has a way to choose one by chance.
func TestKindsHaveChance(t *testing.T) {
	for name, k := range kinds {
		if k.random == nil {
			t.Errorf("no argument of the kind %s is chosen by chance", name)
		}
	}
}
