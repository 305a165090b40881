package space

import (
	"fmt"
	"slices"
	"strings"
)

// emptyError says that no partition is left.
type emptyError struct {
	// reason, which may be missing, continues a sentence about cuts.
	reason string
}

func (e *emptyError) Error() string {
	return "no partition is left: the dependences " + e.because()
}

func (e *emptyError) because() string {
	if e.reason == "" {
		return "leave no partition"
	}
	return e.reason
}

// checkComponents makes sure that what must be in one class can be.
func (s *Space) checkComponents() error {
	for _, component := range s.order.components {
		fusible, err := s.memory.isFusible(newBitset(s.encoding.Statements, component...))
		if err != nil {
			return err
		}
		if !fusible {
			return &emptyError{fmt.Sprintf("put %s into one class, but these statements cannot be fused or are kept apart",
				drawClass(component, s.names))}
		}
	}
	return nil
}

// checkAffine makes sure that some partition satisfies the constraints, when
// some are left; empty says that none does already.
func (s *Space) checkAffine(empty bool) error {
	if empty {
		return &emptyError{}
	}
	if len(s.affine) == 0 {
		return nil
	}
	found, err := newEnumerator(s).completable()
	if err == nil && !found {
		err = &emptyError{}
	}
	return err
}

// explain names cuts that leave no partition together, and of which none is
// superfluous for that. build is the space with other cuts.
func (e *emptyError) explain(cuts []Cut, names []string, build func([]Cut) (*Space, error)) error {
	for k := 0; k < len(cuts); {
		fewer := slices.Delete(slices.Clone(cuts), k, k+1)
		if _, err := build(fewer); err != nil {
			other, isEmpty := err.(*emptyError)
			if !isEmpty {
				return err
			}
			e, cuts = other, fewer
			continue
		}
		k++
	}
	var texts []string
	for _, cut := range cuts {
		texts = append(texts, fmt.Sprintf("%q", cut.Text(names)))
	}
	switch len(cuts) {
	case 0:
		return e
	case 1:
		return fmt.Errorf("no partition is left: the dependences and the cut %s %s; take the cut back", texts[0], e.because())
	default:
		return fmt.Errorf("no partition is left: the dependences and the cuts %s %s; take one of them back", strings.Join(texts, " and "), e.because())
	}
}
