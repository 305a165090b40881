package report

import (
	"polytune/schedule/command"
	"polytune/scop/mark"
)

// DeclinedExplanation is a part of the schedule that the code does not have.
type DeclinedExplanation struct {
	// Loop is the loop that it is about, "" where it is none.
	Loop string `json:"loop"`
	// What says what the code does without, and Why.
	What string `json:"what"`
	Why  string `json:"why"`
}

// DeclinedExplanations are those of marks.
func DeclinedExplanations(declined []mark.Declined) []DeclinedExplanation {
	list := []DeclinedExplanation{}
	for _, d := range declined {
		list = append(list, DeclinedExplanation{mark.LoopOf(d.Mark), command.All.Without(d.Mark), d.Reason})
	}
	return list
}
