package space

import "sort"

// learn asks for the fusibility of large sets before a search asks for small
// ones: what is said of a fusible set answers for all its parts. Most programs
// fuse as a whole, and their searches then ask nothing more. The components
// are divided, in topological order, into the longest runs that are fusible;
// each run is found by bisection.
func (s *Space) learn() error {
	if s.learned {
		return nil
	}
	for sequence := s.order.topological(); len(sequence) > 0; {
		run, err := s.fusibleRun(sequence)
		if err != nil {
			return err
		}
		sequence = sequence[run:]
	}
	s.learned = true
	return nil
}

// fusibleRun is the number of components at the beginning of a sequence that
// are fusible together, one at least.
func (s *Space) fusibleRun(sequence []int) (run int, err error) {
	isInfusible := func(length int) bool {
		if err != nil {
			return true
		}
		var fusible bool
		fusible, err = s.componentsFusible(newBitset(len(s.order.components), sequence[:length]...))
		return !fusible
	}
	if !isInfusible(len(sequence)) {
		return len(sequence), nil
	}
	run = 1 + sort.Search(len(sequence)-2, func(k int) bool { return isInfusible(k + 2) })
	return run, err
}
