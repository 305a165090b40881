package schedule

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"polytune/scop"
)

// kind is a kind of argument of commands: how a field is read and written.
type kind struct {
	// field is the type of the command's field.
	field reflect.Type
	// isNumber says that it is a number, or several, of which none is below least.
	isNumber bool
	least    int64
	// several says that it is all words up to one that the syntax has next, and mayBeEmpty that
	// there may be none.
	several, mayBeEmpty bool
	read                func(r *reader, text string, field reflect.Value) error
	write               func(w *writer, field reflect.Value) string
	// random is an argument that chance chooses, nil where there is none.
	random func(*chance) any
}

// clausesKind are clauses of reductions.
const clausesKind = "CLAUSES"

// kinds are those that a syntax names:
//
//	LOOP, NODE, ARRAY            a name (string)
//	MEMORY                       the name of a device's memory (string)
//	LOOPS, NODES, ARRAYS         names (one string for each)
//	NAME, NAMES                  a name that a loop is given, and several (string, one string for each)
//	NUMBER, COUNT                a number, and one from 1 on (int64)
//	SIZES                        numbers (one int64 for each)
//	SLOPES                       1 3/2 (one Slope for each)
//	STATEMENT, STATEMENTS        statements by their names (int, one int for each)
//	REFERENCE                    an element as the statement in front reads it (int, its place among the accesses)
//	REFERENCES                   references to an array as statements' iterators have them, A[i-1][k] (a string, with blanks between them)
//	ELEMENT, PLACE               A[t][i], and [t % 2][i] (a string)
//	GROUPS                       {S0 S1} {S2} (one []int for each)
//	ROWS, ROW                    S0[i, j] -> [i, j]; S1[i] -> [i, 0] (one map[int]Row for each loop; one alone)
//	VALUES                       S0[i, j] -> [floor(i/8), i]; S1[i] -> [0, i] (one map[int]Quasi for each loop)
//	EXTENTS                      N, 2M - 1 (one Row for each)
//	CLAUSES                      reduction(+:x) reduction(max:y), or none (one scop.Clause for each)
//	MATRIX                       [1 0; 2 1] (one []int64 for each row)
//	MAPS                         { S0[i, j] -> [floor(i/8), i, j]; S1[i] -> [0, i, 0] } (map[int]Times)
//	CUT                          S0[i] -> [i - N] (scop.Cut)
//	ROOM                         2000 sums outermost sharing t_1 2 (scop.Room)
var kinds map[string]kind

func init() {
	kinds = map[string]kind{
		"LOOP": name((*chance).loop), "NODE": name((*chance).nodeName), "ARRAY": name((*chance).array),
		"MEMORY": name((*chance).memory), "NAME": name((*chance).newName), "NAMES": names((*chance).newNames),
		"LOOPS": names((*chance).loops), "NODES": names((*chance).parts), "ARRAYS": names((*chance).arrays),
		"NUMBER": {field: reflect.TypeFor[int64](), isNumber: true, least: math.MinInt64,
			read: readNumber, write: writeNumber, random: (*chance).number},
		"COUNT": {field: reflect.TypeFor[int64](), isNumber: true, least: 1,
			read: readCount, write: writeNumber, random: (*chance).positive},
		"SIZES": {field: reflect.TypeFor[[]int64](), isNumber: true, least: 1,
			several: true, read: readSizes, write: writeNumber, random: (*chance).sizes},
		"SLOPES":     several(kind{field: reflect.TypeFor[[]Slope](), read: readSlopes, write: writeSlopes, random: (*chance).slopes}),
		"STATEMENT":  {field: reflect.TypeFor[int](), read: readStatement, write: writeStatement, random: (*chance).aStatement},
		"STATEMENTS": several(kind{field: reflect.TypeFor[[]int](), read: readStatements, write: writeStatements, random: (*chance).statements}),
		"REFERENCE":  {field: reflect.TypeFor[int](), read: readReference, write: writeReference, random: (*chance).reference},
		"REFERENCES": several(name((*chance).nothing)),
		"ELEMENT":    several(name((*chance).nothing)),
		"PLACE":      several(name((*chance).nothing)),
		"GROUPS":     several(kind{field: reflect.TypeFor[[][]int](), read: readGroups, write: writeGroups, random: (*chance).groups}),
		"ROWS":       several(kind{field: reflect.TypeFor[[]map[int]Row](), read: readRows, write: writeRows, random: (*chance).rows}),
		"VALUES":     several(kind{field: reflect.TypeFor[[]map[int]Quasi](), read: readValues, write: writeValues, random: (*chance).values}),
		"ROW":        several(kind{field: reflect.TypeFor[map[int]Row](), read: readRow, write: writeRow, random: (*chance).row}),
		"EXTENTS":    several(kind{field: reflect.TypeFor[[]Row](), read: readExtents, write: writeExtents, random: (*chance).extents}),
		clausesKind: several(kind{field: reflect.TypeFor[[]scop.Clause](), mayBeEmpty: true,
			read: readClauses, write: writeClauses, random: (*chance).clauses}),
		"MATRIX": several(kind{field: reflect.TypeFor[[][]int64](), read: readMatrix, write: writeMatrix, random: (*chance).nothing}),
		"MAPS":   several(kind{field: reflect.TypeFor[map[int]Times](), read: readMaps, write: writeMaps, random: (*chance).maps}),
		"CUT":    several(kind{field: reflect.TypeFor[scop.Cut](), read: readCut, write: writeCut, random: (*chance).nothing}),
		"ROOM":   several(kind{field: reflect.TypeFor[scop.Room](), read: readRoom, write: writeRoom, random: (*chance).nothing}),
	}
}

// several is a kind of as many words as there are.
func several(k kind) kind {
	k.several = true
	return k
}

// name is a kind of a name, names one of several.
func name(random func(*chance) any) kind {
	write := func(_ *writer, f reflect.Value) string { return f.String() }
	return kind{field: reflect.TypeFor[string](), read: readName, write: write, random: random}
}

func names(random func(*chance) any) kind {
	write := func(_ *writer, f reflect.Value) string { return strings.Join(f.Interface().([]string), " ") }
	return several(kind{field: reflect.TypeFor[[]string](), read: readNames, write: write, random: random})
}

// put sets a field.
func put[T any](field reflect.Value, value T, err error) error {
	if err == nil {
		field.Set(reflect.ValueOf(value))
	}
	return err
}

func readName(_ *reader, text string, field reflect.Value) error { return put(field, text, nil) }

func readNames(_ *reader, text string, field reflect.Value) error {
	return put(field, strings.Fields(text), nil)
}

func readNumber(_ *reader, text string, field reflect.Value) error {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number", text)
	}
	return put(field, number, nil)
}

func readCount(r *reader, text string, field reflect.Value) error {
	if number, err := strconv.ParseInt(text, 10, 64); err == nil && number < 1 {
		return fmt.Errorf("%d is not a number from 1 on", number)
	}
	return readNumber(r, text, field)
}

func readSizes(_ *reader, text string, field reflect.Value) error {
	sizes, err := parseSizes(text)
	return put(field, sizes, err)
}

// writeNumber writes a number, or several.
func writeNumber(_ *writer, field reflect.Value) string {
	return strings.Trim(fmt.Sprint(field.Interface()), "[]")
}

func readStatement(r *reader, text string, field reflect.Value) (err error) {
	r.statement, err = statementIndex(r.program, text)
	return put(field, r.statement, err)
}

func writeStatement(w *writer, field reflect.Value) string {
	w.statement = field.Interface().(int)
	return w.program.Statements[w.statement].Spelling()
}

func readStatements(r *reader, text string, field reflect.Value) error {
	var statements []int
	for _, name := range strings.Fields(text) {
		s, err := statementIndex(r.program, name)
		if err != nil {
			return err
		}
		statements = append(statements, s)
	}
	return put(field, statements, nil)
}

func writeStatements(w *writer, field reflect.Value) string {
	statements := field.Interface().([]int)
	names := make([]string, len(statements))
	for k, s := range statements {
		names[k] = w.program.Statements[s].Spelling()
	}
	return strings.Join(names, " ")
}

func readReference(r *reader, text string, field reflect.Value) error {
	reference, err := referenceOf(r.program, r.statement, text)
	return put(field, reference, err)
}

func writeReference(w *writer, field reflect.Value) string {
	return ReferenceText(w.program, w.statement, field.Interface().(int))
}

func readGroups(r *reader, text string, field reflect.Value) error {
	groups, err := parseGroups(r.program, text)
	return put(field, groups, err)
}

func writeGroups(w *writer, field reflect.Value) string {
	return NewTree(w.program).drawing(field.Interface().([][]int))
}

func readRows(r *reader, text string, field reflect.Value) error {
	rows, err := parseStatementRows(r.program, text)
	return put(field, rows, err)
}

func readRow(r *reader, text string, field reflect.Value) error {
	rows, err := parseStatementRows(r.program, text)
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("there is one row for each statement, not %d", len(rows))
	}
	if err != nil {
		return err
	}
	return put(field, rows[0], nil)
}

func readExtents(r *reader, text string, field reflect.Value) error {
	var extents []Row
	for _, part := range strings.Split(text, ",") {
		extent, err := scop.ParseRow(part, nil, r.program.Parameters)
		if err != nil {
			return err
		}
		extents = append(extents, extent)
	}
	return put(field, extents, nil)
}

func writeExtents(w *writer, field reflect.Value) string {
	return ExtentsText(field.Interface().([]Row), w.program.Parameters)
}

// ExtentsText is extents with commas between them, "" for none.
func ExtentsText(extents []Row, parameters []string) string {
	texts := make([]string, len(extents))
	for k, extent := range extents {
		texts[k] = extent.Text(nil, parameters)
	}
	return strings.Join(texts, ", ")
}

func readClauses(_ *reader, text string, field reflect.Value) error {
	clauses, err := scop.ParseClauses(text)
	return put(field, clauses, err)
}

func readCut(r *reader, text string, field reflect.Value) error {
	cut, err := r.program.ParseCut(text)
	return put(field, cut, err)
}

func readRoom(_ *reader, text string, field reflect.Value) error {
	room, err := parseRoom(text)
	return put(field, room, err)
}

func readSlopes(_ *reader, text string, field reflect.Value) error {
	slopes, err := parseSlopes(text)
	return put(field, slopes, err)
}

func writeSlopes(_ *writer, field reflect.Value) string {
	return slopesText(field.Interface().([]Slope))
}

func writeRows(w *writer, field reflect.Value) string {
	return rowsText(w.program, field.Interface().([]map[int]Row))
}

func writeRow(w *writer, field reflect.Value) string {
	return rowsText(w.program, []map[int]Row{field.Interface().(map[int]Row)})
}

func writeClauses(_ *writer, field reflect.Value) string {
	return strings.TrimSpace(scop.ClausesText(field.Interface().([]scop.Clause)))
}

func writeCut(w *writer, field reflect.Value) string {
	return w.program.CutText(field.Interface().(scop.Cut))
}

func writeRoom(_ *writer, field reflect.Value) string { return roomText(field.Interface().(scop.Room)) }
