package report

import (
	"fmt"
	"io"
	"strings"

	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/transform"
)

// Strategy is what people and scripts are told of a strategy of the models.
type Strategy struct {
	Name  string          `json:"name"`
	Place transform.Place `json:"place"`
	// Doc is what it does to loops, with its source or what it gains.
	Doc string `json:"doc"`
	// Axis is the name of the tuner's axis about it, "" for none.
	Axis string `json:"axis,omitempty"`
	// Serves are the built-in benchmarks that take it by default, with AVX2 or with AVX-512.
	Serves []string `json:"serves"`
}

// WriteStrategies writes the strategies in their order, or those of these names, for people or as a
// JSON document.
func WriteStrategies(w io.Writer, names []string, asJSON bool) error {
	chosen := transform.Strategies
	if len(names) > 0 {
		chosen = nil
	}
	for _, name := range names {
		one, err := transform.StrategyNamed(name)
		if err != nil {
			return usage.Mistake(err)
		}
		chosen = append(chosen, one)
	}
	entries := []Strategy{}
	for _, s := range chosen {
		e := Strategy{Name: s.Name, Place: s.Place, Doc: strings.TrimSpace(s.Doc), Serves: append([]string{}, transform.Serves(s.Name)...)}
		if s.Axis != nil {
			e.Axis = s.Axis.Name
		}
		entries = append(entries, e)
	}
	if asJSON {
		return jsondoc.Write(w, entries)
	}
	for k := range entries {
		entries[k].text(w)
	}
	return nil
}

// text prints a strategy for people.
func (s *Strategy) text(w io.Writer) {
	fmt.Fprintf(w, "%s (%s)", s.Name, s.Place)
	if s.Axis != "" {
		fmt.Fprintf(w, ", axis %s", s.Axis)
	}
	fmt.Fprintf(w, "\n  %s\n", strings.ReplaceAll(s.Doc, "\n", "\n  "))
	if len(s.Serves) == 0 {
		fmt.Fprint(w, "  no built-in benchmark takes it by default\n\n")
		return
	}
	fmt.Fprintf(w, "  taken by %d: %s\n\n", len(s.Serves), strings.Join(s.Serves, " "))
}
