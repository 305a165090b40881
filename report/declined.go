package report

import (
	"fmt"
	"strings"

	"polytune/schedule"
	"polytune/schedule/profile"
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
		list = append(list, DeclinedExplanation{mark.LoopOf(d.Mark), without(d.Mark), d.Reason})
	}
	return list
}

// without says what code does without that lacks a mark.
func without(m mark.Mark) string {
	switch m := m.(type) {
	case mark.Overlap:
		return "without vectors that overlap"
	case mark.Stream:
		return "without stores past the caches"
	case mark.Beside:
		return "without rows beside each other"
	case mark.Collapse:
		return "without the loop inside among threads"
	case mark.Relay:
		return "without a relay of threads"
	case mark.Region, mark.Team:
		return "without threads that start there"
	case mark.Registers:
		return "without register blocks"
	case mark.Layout:
		return "without copies of " + m.Array + " side by side"
	case mark.Local:
		return "without a copy of " + m.Array
	case mark.Pack:
		return "without a copy of an operand of " + m.Statement + " in the order of use"
	}
	kind, _, _ := strings.Cut(m.String(), " ")
	return "without " + kind
}

// lacks is whether the code lacks a mark of a kind at a loop, and then what to say of it.
func lacks[M mark.Mark](v *Variant, loop string) (text string, is bool) {
	for _, d := range v.Declined {
		if _, ofKind := d.Mark.(M); ofKind && mark.LoopOf(d.Mark) == loop {
			return declinedText(d), true
		}
	}
	return "", false
}

// lacksPack is lacks for a packed reference.
func (v *Variant) lacksPack(packed schedule.PackedReference) (text string, is bool) {
	for _, d := range v.Declined {
		m, isPack := d.Mark.(mark.Pack)
		if isPack && m.Statement == v.Program.Statements[packed.Statement].Name && m.Reference == packed.Reference {
			return fmt.Sprintf("without a copy of %s in the order of use, because %s", packed.Text(v.Program), d.Reason), true
		}
	}
	return "", false
}

func declinedText(d mark.Declined) string { return without(d.Mark) + ", because " + d.Reason }

// lanes says how a loop runs in SIMD lanes, and what of that the code lacks.
func (v *Variant) lanes(l profile.Loop) []string {
	var missing []string
	if text, is := lacks[mark.Stream](v, l.Name); is {
		missing = append(missing, text)
	}
	if text, is := lacks[mark.Overlap](v, l.Name); is {
		missing = append(missing, text)
	}
	if len(missing) > 0 {
		return append([]string{"in SIMD lanes"}, missing...)
	}
	return []string{lanesText(l)}
}

// collapsedText says how threads share a loop together with the one outside.
func (v *Variant) collapsedText(l profile.Loop) string {
	node, _, _ := strings.Cut(l.Name, ".")
	for _, d := range v.Declined {
		if m, is := d.Mark.(mark.Collapse); is && strings.HasPrefix(m.Loop, node+".") {
			return "not shared by threads together with the loop outside, because " + d.Reason
		}
	}
	return "whose iterations threads share together with those of the loop outside"
}
