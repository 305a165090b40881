package schedule

import (
	"reflect"
	"strings"

	"polytune/internal/pattern"
	"polytune/scop"
)

// Affine are rows as values of loops.
func Affine(loops []map[int]Row) []map[int]Quasi {
	values := make([]map[int]Quasi, len(loops))
	for k, rows := range loops {
		values[k] = map[int]Quasi{}
		for s, row := range rows {
			values[k][s] = Quasi{Row: row}
		}
	}
	return values
}

// RowsOf are values of loops without their quotients.
func RowsOf(loops []map[int]Quasi) []map[int]Row {
	rows := make([]map[int]Row, len(loops))
	for k, values := range loops {
		rows[k] = map[int]Row{}
		for s, value := range values {
			rows[k][s] = value.Row
		}
	}
	return rows
}

// quotients are in a text that is no row.
var quotients = pattern.New(`\bfloord?\b|\bmod\b|%`)

// readValues reads S0[i, j] -> [floor(i/8), i]; S1[i] -> [0, i].
func readValues(r *reader, text string, field reflect.Value) error {
	if !quotients.MatchString(text) {
		rows, err := parseStatementRows(r.program, text)
		return put(field, Affine(rows), err)
	}
	values, err := byLoop(r.program, text, func(part string) (int, []Quasi, error) { return parseValues(r.program, part) })
	return put(field, values, err)
}

// parseValues reads those of one statement.
func parseValues(p *scop.Program, text string) (statement int, values []Quasi, err error) {
	m, err := parseMap(p, text)
	if err == nil && m.more != "" {
		err = errNoConditions
	}
	if err != nil {
		return 0, nil, err
	}
	values, err = m.quasi(p)
	return m.statement, values, err
}

func writeValues(w *writer, field reflect.Value) string {
	loops, p := field.Interface().([]map[int]Quasi), w.program
	var parts []string
	for s := range p.Statements {
		if _, has := loops[0][s]; !has {
			continue
		}
		values := make([]Quasi, len(loops))
		for k := range loops {
			values[k] = loops[k][s]
		}
		parts = append(parts, valuesText(p, s, p.Statements[s].Spelling(), values))
	}
	return strings.Join(parts, "; ")
}

// values are rows, some of them in tiles.
func (c *chance) values() any {
	rows, some := c.rows().([]map[int]Row)
	if !some {
		return nil
	}
	values := Affine(rows)
	for _, loop := range values {
		if c.IntN(4) > 0 {
			continue
		}
		size := 2 + c.Int64N(3)
		for s, value := range loop {
			loop[s], _ = value.quotient(size)
		}
	}
	return values
}
