package schedule

import (
	"fmt"
	"reflect"
	"strings"

	"polytune/scop"
)

// mapsWritten says how maps are written.
const mapsWritten = "a schedule is written { S0[i, j] -> [i, floor(j/8), j]; S1[i] -> [i, 0, 0] }"

// readMaps reads { S0[i, j] -> [floor(i/8), i, j]; … }: the values of loops by statement.
func readMaps(r *reader, text string, field reflect.Value) error {
	maps, err := parseMaps(r.program, text)
	return put(field, maps, err)
}

func parseMaps(p *scop.Program, text string) (map[int][]Quasi, error) {
	inside, opened := strings.CutPrefix(text, "{")
	inside, closed := strings.CutSuffix(inside, "}")
	if !opened || !closed {
		return nil, fmt.Errorf("%s", mapsWritten)
	}
	maps := map[int][]Quasi{}
	for _, part := range strings.Split(inside, ";") {
		s, values, err := parseMap(p, part)
		if err != nil {
			return nil, err
		}
		if _, twice := maps[s]; twice {
			return nil, fmt.Errorf("statement %s has two maps; its instances would run twice", p.Statements[s].Spelling())
		}
		maps[s] = values
	}
	return maps, nil
}

// parseMap reads S0[i, j] -> [floor(i/8), i, j].
func parseMap(p *scop.Program, text string) (s int, values []Quasi, err error) {
	left, right, arrow := strings.Cut(text, "->")
	name, names, opened := strings.Cut(strings.TrimSpace(left), "[")
	names, closed := strings.CutSuffix(names, "]")
	right = strings.TrimSpace(right)
	if strings.Contains(right, "]") && !strings.HasSuffix(right, "]") {
		return 0, nil, fmt.Errorf("behind the values in %q is more; maps have no conditions, they are for all instances", strings.TrimSpace(text))
	}
	list, bracketed := strings.CutPrefix(right, "[")
	list, ended := strings.CutSuffix(list, "]")
	if !arrow || !opened || !closed || !bracketed || !ended {
		return 0, nil, fmt.Errorf("%s", mapsWritten)
	}
	if s, err = statementIndex(p, strings.TrimSpace(name)); err != nil {
		return 0, nil, err
	}
	var iterators []string
	if strings.TrimSpace(names) != "" {
		for name := range strings.SplitSeq(names, ",") {
			iterators = append(iterators, strings.TrimSpace(name))
		}
	}
	if depth := p.Statements[s].Depth(); len(iterators) != depth {
		return 0, nil, fmt.Errorf("statement %s has %d loops, not %d", p.Statements[s].Spelling(), depth, len(iterators))
	}
	for _, part := range atCommas(list) {
		value, err := parseQuasi(part, iterators, p.Parameters)
		if err != nil {
			return 0, nil, err
		}
		values = append(values, value)
	}
	return s, values, nil
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
	maps, p := field.Interface().(map[int][]Quasi), w.program
	var parts []string
	for s := range p.Statements {
		values, has := maps[s]
		if !has {
			continue
		}
		iterators, texts := p.IteratorNames(s), []string{}
		for _, value := range values {
			texts = append(texts, value.Text(iterators, p.Parameters))
		}
		parts = append(parts, fmt.Sprintf("%s[%s] -> [%s]", p.Statements[s].Spelling(), strings.Join(iterators, ", "), strings.Join(texts, ", ")))
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}

// maps are those of the program as it is written, which a loop counts up.
func (c *chance) maps() any {
	p, length := c.tree.Program, 0
	for s := range p.Statements {
		length = max(length, 2*p.Statements[s].Depth()+1)
	}
	maps := map[int][]Quasi{}
	for s := range p.Statements {
		maps[s] = make([]Quasi, length)
		for k := range maps[s] {
			row := Row{Iterators: make([]int64, p.Statements[s].Depth()), Parameters: make([]int64, len(p.Parameters))}
			switch depth := k / 2; {
			case k%2 == 0 && depth <= p.Statements[s].Depth():
				row.Constant = int64(p.Statements[s].Position[depth])
			case k%2 == 1 && depth < p.Statements[s].Depth():
				row.Iterators[depth] = 1
			}
			maps[s][k] = Quasi{Row: row}
		}
	}
	return maps
}
