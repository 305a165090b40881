package mark

import (
	"maps"
	"slices"
)

// Declined is a mark that code does not have, and why.
type Declined struct {
	Mark   Mark
	Reason string
}

// Honours notes which marks code has. What is printed in several versions has a mark if one of them
// has.
type Honours struct {
	honoured map[string]bool
	declined map[string]Declined
}

// NewHonours are those of no code yet.
func NewHonours() *Honours {
	return &Honours{honoured: map[string]bool{}, declined: map[string]Declined{}}
}

// Honour notes that code has a mark.
func (h *Honours) Honour(m Mark) { h.honoured[m.String()] = true }

// Has says whether code has a mark, as far as is noted.
func (h *Honours) Has(m Mark) bool { return h.honoured[m.String()] }

// Decline notes that some code does not have a mark. The first reason counts.
func (h *Honours) Decline(m Mark, reason string) {
	if _, known := h.declined[m.String()]; !known {
		h.declined[m.String()] = Declined{m, reason}
	}
}

// Declined are the marks that no code has, by their texts.
func (h *Honours) Declined() []Declined {
	var list []Declined
	for _, text := range slices.Sorted(maps.Keys(h.declined)) {
		if !h.honoured[text] {
			list = append(list, h.declined[text])
		}
	}
	return list
}
