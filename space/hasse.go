package space

// Hasse is the order of a space drawn with as few arrows as possible: its
// components, and which must not come in a later class than which, without
// the pairs that follow from others (the transitive reduction).
type Hasse struct {
	// Components are the statements that every partition has in one class,
	// in the order of their first statements.
	Components [][]int
	// Edges are in the order of their ends.
	Edges []HasseEdge
	// Apart are the pairs of components, without an order between them, that
	// can never be in one class.
	Apart [][2]int
}

// HasseEdge says that component From must not be in a later class than To.
type HasseEdge struct {
	From, To int
	// Dependent says that a statement of To depends on one of From; otherwise
	// the mode or a cut asks for the order.
	Dependent bool
	// Fusible says that both may be in one class.
	Fusible bool
}

// Hasse finds the order's reduction. It asks for the fusibility of every pair
// of components.
func (s *Space) Hasse() (Hasse, error) {
	h := Hasse{Components: s.order.components}
	for d := range h.Components {
		for c := range h.Components {
			if err := s.addRelation(&h, c, d); err != nil {
				return Hasse{}, err
			}
		}
	}
	return h, nil
}

// addRelation adds what a drawing says about components c and d.
func (s *Space) addRelation(h *Hasse, c, d int) error {
	ordered := s.order.precedes(c, d)
	unordered := c < d && !ordered && !s.order.precedes(d, c)
	if ordered && s.isBetween(c, d) || !ordered && !unordered {
		return nil
	}
	fusible, err := s.componentsFusible(newBitset(len(h.Components), c, d))
	switch {
	case err != nil:
		return err
	case ordered:
		h.Edges = append(h.Edges, HasseEdge{From: c, To: d, Dependent: s.isDependent(h.Components[c], h.Components[d]), Fusible: fusible})
	case !fusible:
		h.Apart = append(h.Apart, [2]int{c, d})
	}
	return nil
}

// isDependent says whether one of the targets depends on one of the sources. A
// cut may put statements into one component that do not depend on each other.
func (s *Space) isDependent(sources, targets []int) bool {
	for _, i := range sources {
		for _, j := range targets {
			if s.reaches[i][j] {
				return true
			}
		}
	}
	return false
}

// isBetween says whether the order of c and d follows from a third component.
func (s *Space) isBetween(c, d int) bool {
	for k := range s.order.components {
		if s.order.precedes(c, k) && s.order.precedes(k, d) {
			return true
		}
	}
	return false
}
