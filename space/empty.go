package space

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// EmptyError says that the dependences and the cuts leave no partition.
type EmptyError struct {
	// reason, which may be missing, continues a sentence about cuts.
	reason string
	// cuts are the texts of those that leave no partition together, as far
	// as they have been looked for.
	cuts []string
}

func (e *EmptyError) Error() string {
	reason := cmp.Or(e.reason, "leave no partition")
	switch len(e.cuts) {
	case 0:
		return "no partition is left: the dependences " + reason
	case 1:
		return fmt.Sprintf("no partition is left: the dependences and the cut %s %s; take the cut back", e.cuts[0], reason)
	default:
		return fmt.Sprintf("no partition is left: the dependences and the cuts %s %s; take one of them back", strings.Join(e.cuts, " and "), reason)
	}
}

// checkComponents makes sure that what must be in one class can be.
func (s *Space) checkComponents() error {
	for _, component := range s.order.components {
		fusible, err := s.memory.isFusible(newBitset(s.encoding.Statements, component...))
		if err != nil {
			return err
		}
		if !fusible {
			return &EmptyError{reason: fmt.Sprintf("put %s into one class, but these statements cannot be fused or are kept apart",
				drawClass(component, s.names))}
		}
	}
	return nil
}

// checkAffine makes sure that some partition satisfies the constraints, when
// some are left; empty says that none does already.
func (s *Space) checkAffine(empty bool) error {
	if empty {
		return &EmptyError{}
	}
	if len(s.affine) == 0 {
		return nil
	}
	found, err := newEnumerator(s).completable()
	if err == nil && !found {
		err = &EmptyError{}
	}
	return err
}

// explain names cuts that leave no partition together, and of which none is
// superfluous for that. build is the space with other cuts.
func (e *EmptyError) explain(cuts []Cut, names []string, build func([]Cut) (*Space, error)) error {
	for k := 0; k < len(cuts); {
		fewer := slices.Delete(slices.Clone(cuts), k, k+1)
		if _, err := build(fewer); err != nil {
			other, isEmpty := err.(*EmptyError)
			if !isEmpty {
				return err
			}
			e, cuts = other, fewer
			continue
		}
		k++
	}
	for _, cut := range cuts {
		e.cuts = append(e.cuts, fmt.Sprintf("%q", cut.Text(names)))
	}
	return e
}
