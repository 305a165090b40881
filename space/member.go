package space

import "fmt"

// OutsideError says why a partition does not belong to a space.
type OutsideError struct {
	Partition Partition
	// Reason is a sentence about the statements concerned.
	Reason string
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("partition %s: %s", e.Partition, e.Reason)
}

// Contains says whether a partition belongs to the space. When it does not,
// reason is an *OutsideError; any other error is a failure to decide.
func (s *Space) Contains(p Partition) (ok bool, reason error) {
	if len(p) != s.encoding.Statements {
		return false, s.wrongLength(p)
	}
	if err := p.Validate(); err != nil {
		return false, s.outside(p, "%v", err)
	}
	for _, check := range []func(Partition) error{s.checkCuts, s.checkOrder, s.checkClasses} {
		if err := check(p); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (s *Space) outside(p Partition, format string, arguments ...any) error {
	return &OutsideError{Partition: p, Reason: fmt.Sprintf(format, arguments...)}
}

func (s *Space) wrongLength(p Partition) error {
	return s.outside(p, "it has %d class numbers, but the program has %d statements", len(p), s.encoding.Statements)
}

// checkCuts names the cut that the partition violates.
func (s *Space) checkCuts(p Partition) error {
	for _, cut := range s.cuts {
		if violation := cut.violation(p, s.names); violation != "" {
			return s.outside(p, "%s", violation)
		}
	}
	return nil
}

// checkOrder names two statements whose classes are in the wrong order.
func (s *Space) checkOrder(p Partition) error {
	for i, row := range s.order.before {
		for j, before := range row {
			if before && p[i] > p[j] {
				return s.outside(p, "%s is in class %d and %s in class %d, but %s",
					s.names[i], p[i], s.names[j], p[j], s.whyBefore(i, j))
			}
		}
	}
	return nil
}

func (s *Space) whyBefore(i, j int) string {
	switch {
	case s.reaches[i][j] && s.reaches[j][i]:
		return "they depend on each other and must be in one class"
	case s.reaches[i][j]:
		return fmt.Sprintf("%s depends on %s", s.names[j], s.names[i])
	default:
		return fmt.Sprintf("the mode or the cuts keep %s from running in a later class than %s", s.names[i], s.names[j])
	}
}

// checkClasses names the smallest part of a class that cannot be fused.
func (s *Space) checkClasses(p Partition) error {
	for _, class := range p.Classes() {
		set := newBitset(s.encoding.Statements, class...)
		fusible, err := s.memory.isFusible(set)
		if err != nil {
			return err
		}
		if !fusible {
			part, err := smallest(set, s.memory.isFusible)
			if err != nil {
				return err
			}
			return s.outside(p, "%s cannot be fused under one outer loop", drawClass(part.members(), s.names))
		}
	}
	return nil
}
