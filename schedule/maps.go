package schedule

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"polytune/scop"
)

// mapsWritten says how maps are written.
const mapsWritten = "a schedule is written { S0[i, j] -> [i, floor(j/8), j]; S1[i] -> [i, 0, 0] }"

// errNoConditions is why a map with conditions is refused.
var errNoConditions = errors.New("rows of bands are for all instances; maps with conditions are those of schedule { S0[i] -> [0, i] : i < 8; … }")

// writtenMap is S0[i, j] -> [floor(i/8), i, j] : i < 8 of a statement, or of some of its instances.
type writtenMap struct {
	statement int
	iterators []string
	// behind is what follows the arrow, values what is in its brackets, and more what is behind them.
	behind, values, more string
}

// text is the map with a name for the statement.
func (m writtenMap) text(name string) string {
	return name + "[" + strings.Join(m.iterators, ", ") + "] -> " + m.behind
}

// readMaps reads { S0[i, j] -> [floor(i/8), i, j]; … }: the values of loops by statement.
func readMaps(r *reader, text string, field reflect.Value) error {
	maps, err := parseMaps(r.program, text)
	return put(field, maps, err)
}

// parseMaps reads the maps of all statements. What is simple is read here, where messages can say
// what is wrong; isl reads the others.
func parseMaps(p *scop.Program, text string) (map[int]Times, error) {
	inside, opened := strings.CutPrefix(text, "{")
	inside, closed := strings.CutSuffix(inside, "}")
	if !opened || !closed {
		return nil, errors.New(mapsWritten)
	}
	written := map[int][]writtenMap{}
	for part := range strings.SplitSeq(inside, ";") {
		m, err := parseMap(p, part)
		if err != nil {
			return nil, err
		}
		written[m.statement] = append(written[m.statement], m)
	}
	all := map[int]Times{}
	for s := range p.Statements {
		if len(written[s]) == 0 {
			continue
		}
		times, err := timesWritten(p, s, written[s])
		if err != nil {
			return nil, err
		}
		all[s] = times
	}
	return all, nil
}

// timesWritten are the times that a statement's maps say.
func timesWritten(p *scop.Program, s int, maps []writtenMap) (Times, error) {
	if len(maps) > 1 || maps[0].more != "" {
		return readTimes(p, s, maps)
	}
	values, wrong := maps[0].quasi(p)
	if wrong == nil {
		return Times{Values: values}, nil
	}
	times, err := readTimes(p, s, maps)
	if err != nil {
		return times, wrong
	}
	return times, nil
}

// parseMap reads S0[i, j] -> [floor(i/8), i, j] : i < 8.
func parseMap(p *scop.Program, text string) (m writtenMap, err error) {
	left, right, arrow := strings.Cut(text, "->")
	name, names, opened := strings.Cut(strings.TrimSpace(left), "[")
	names, closed := strings.CutSuffix(names, "]")
	m.behind = strings.Join(strings.Fields(right), " ")
	list, bracketed := strings.CutPrefix(m.behind, "[")
	list, more, ended := strings.Cut(list, "]")
	if !arrow || !opened || !closed || !bracketed || !ended {
		return m, errors.New(mapsWritten)
	}
	m.values, m.more = list, strings.TrimSpace(more)
	if m.more != "" && m.more[0] != ':' {
		return m, fmt.Errorf("behind the values in %q is %q; conditions of instances stand behind a colon: S0[i] -> [0, i] : i < 8", strings.TrimSpace(text), m.more)
	}
	if m.statement, err = statementIndex(p, strings.TrimSpace(name)); err != nil {
		return m, err
	}
	if strings.TrimSpace(names) != "" {
		for name := range strings.SplitSeq(names, ",") {
			m.iterators = append(m.iterators, strings.TrimSpace(name))
		}
	}
	if depth := p.Statements[m.statement].Depth(); len(m.iterators) != depth {
		return m, fmt.Errorf("statement %s has %d loops, not %d", p.Statements[m.statement].Spelling(), depth, len(m.iterators))
	}
	return m, nil
}

// quasi are the values of a map without conditions.
func (m writtenMap) quasi(p *scop.Program) (values []Quasi, err error) {
	for _, part := range atCommas(m.values) {
		value, err := parseQuasi(part, m.iterators, p.Parameters)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// atCommas splits a list at commas that are in no brackets.
func atCommas(list string) (parts []string) {
	depth, from := 0, 0
	for k := range len(list) {
		switch list[k] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, list[from:k]), k+1
			}
		}
	}
	return append(parts, list[from:])
}

func writeMaps(w *writer, field reflect.Value) string {
	maps, p := field.Interface().(map[int]Times), w.program
	var parts []string
	for s := range p.Statements {
		times, has := maps[s]
		switch {
		case times.Written != "":
			parts = append(parts, times.Written)
		case has:
			parts = append(parts, valuesText(p, s, p.Statements[s].Spelling(), times.Values))
		}
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}

// valuesText prints S0[i, j] -> [floor(i/8), j], with this name for the statement.
func valuesText(p *scop.Program, s int, name string, values []Quasi) string {
	iterators, texts := p.IteratorNames(s), []string{}
	for _, value := range values {
		texts = append(texts, value.Text(iterators, p.Parameters))
	}
	return fmt.Sprintf("%s[%s] -> [%s]", name, strings.Join(iterators, ", "), strings.Join(texts, ", "))
}

// maps are those of the program as it is written, which a loop counts up.
func (c *chance) maps() any {
	p, length := c.tree.Program, 0
	for s := range p.Statements {
		length = max(length, 2*p.Statements[s].Depth()+1)
	}
	maps := map[int]Times{}
	for s := range p.Statements {
		values := make([]Quasi, length)
		for k := range values {
			row := Row{Iterators: make([]int64, p.Statements[s].Depth()), Parameters: make([]int64, len(p.Parameters))}
			switch depth := k / 2; {
			case k%2 == 0 && depth <= p.Statements[s].Depth():
				row.Constant = int64(p.Statements[s].Position[depth])
			case k%2 == 1 && depth < p.Statements[s].Depth():
				row.Iterators[depth] = 1
			}
			values[k] = Quasi{Row: row}
		}
		maps[s] = Times{Values: values}
	}
	return maps
}
