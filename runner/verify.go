package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Mismatch says where a variant's data first differs from the original's.
type Mismatch struct {
	Array string
	// Element is the first element that differs as C writes it, such as
	// "A[2][7]"; "" when only hashes are known, and no values.
	Element string
	// Expected is the original's value, Got the variant's.
	Expected, Got string
	// Count is the number of elements of that array that differ; Elements
	// is the number it has.
	Count, Elements int
	// Execution is the execution of the region after which they differ, from
	// 1, for a Program; 0 for a Driver.
	Execution int
	// Sensitive says that the original's values in that array say nothing, because other rounding
	// makes quite others of them, for CompareSensitive.
	Sensitive bool
}

// Error names the element, both values, and how many others differ.
func (m *Mismatch) Error() string {
	when := ""
	if m.Execution > 0 {
		when = fmt.Sprintf(" after execution %d of the region", m.Execution)
	}
	if m.Element == "" {
		return fmt.Sprintf("wrong result: %s differs%s", m.Array, when)
	}
	return fmt.Sprintf("wrong result: %s is %s, expected %s%s (%d of %d elements of %s differ)",
		m.Element, m.Got, m.Expected, when, m.Count, m.Elements, m.Array)
}

// Compare compares two files written by Dump element by element and bit for
// bit; only two NaNs count as equal whatever their bits. A difference is a
// *Mismatch for the first array, in the order of the arguments, that differs.
// For a Program it is the first execution with a difference that counts.
func Compare(reference, variant string) error {
	return CompareWithin(reference, variant, Tolerance{})
}

// CompareWithin is Compare with floating-point numbers that may differ by the
// tolerance times the largest magnitude in their array, if they are of arrays that it is for.
func CompareWithin(reference, variant string, tolerance Tolerance) error {
	return CompareSensitive(reference, variant, tolerance, Sensitivity{})
}

// CompareSensitive is CompareWithin for an original whose results are so sensitive to rounding.
func CompareSensitive(reference, variant string, tolerance Tolerance, sensitivity Sensitivity) error {
	scales, err := scalesOf(reference, tolerance)
	if err != nil {
		return err
	}
	err = compareDumps(reference, variant, allowance{tolerance: tolerance, scales: scales, sensitivity: sensitivity})
	if sensitivity.executions && errors.As(err, new(*ExecutionsError)) {
		return nil
	}
	return err
}

// compareDumps compares two files written by Dump.
func compareDumps(reference, variant string, allowed allowance) error {
	if isExecutions(reference) {
		return compareExecutions(reference, variant, allowed)
	}
	expected, err := openDump(reference)
	if err != nil {
		return err
	}
	defer expected.Close()
	got, err := openDump(variant)
	if err != nil {
		return err
	}
	defer got.Close()
	if err := sameShape(expected.arrays, got.arrays); err != nil {
		return err
	}
	for k, array := range expected.arrays {
		agrees := func(a, b []byte) bool {
			return allowed.agrees(k, array.element, allowed.tolerance.of(array.name), a, b)
		}
		if mismatch, err := compareArray(array, expected, got, agrees); err != nil {
			return err
		} else if mismatch != nil {
			mismatch.Sensitive = allowed.sensitivity.isLarge(k, allowed.tolerance.relative(array.element.size))
			return mismatch
		}
	}
	return nil
}

// dumpedArray is one array of a dump, as its header describes it.
type dumpedArray struct {
	name    string
	element elementType
	extents []int
	count   int
}

// dumpFile is an open dump; reading goes on with the arrays' elements.
type dumpFile = headedFile[dumpedArray]

func openDump(path string) (*dumpFile, error) {
	return openHeaded(path, dumpMagic, parseDumpedArray)
}

// parseDumpedArray reads "name kind size dimensions extent…".
func parseDumpedArray(fields []string) (dumpedArray, error) {
	if len(fields) < 4 || len(fields[1]) != 1 {
		return dumpedArray{}, errors.New("too short")
	}
	var numbers []int
	for _, field := range fields[2:] {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			return dumpedArray{}, fmt.Errorf("%q is not a size", field)
		}
		numbers = append(numbers, n)
	}
	array := dumpedArray{name: fields[0], element: elementType{kind: fields[1][0], size: numbers[0]}, extents: numbers[2:], count: 1}
	if array.element.size < 1 || array.element.size > 16 || len(array.extents) != numbers[1] {
		return dumpedArray{}, errors.New("sizes that do not fit each other")
	}
	for _, extent := range array.extents {
		array.count *= extent
	}
	return array, nil
}

func sameShape(expected, got []dumpedArray) error {
	if len(expected) != len(got) {
		return fmt.Errorf("the two runs have %d and %d arrays", len(expected), len(got))
	}
	for i, e := range expected {
		g := got[i]
		if e.name != g.name || e.element != g.element || fmt.Sprint(e.extents) != fmt.Sprint(g.extents) {
			return fmt.Errorf("the two runs have different arrays: %s%v of %d bytes and %s%v of %d bytes",
				e.name, e.extents, e.element.size, g.name, g.extents, g.element.size)
		}
	}
	return nil
}

// compareArray reads and compares the elements of one array; nil where all agree.
func compareArray(array dumpedArray, expected, got io.Reader, agrees func(a, b []byte) bool) (*Mismatch, error) {
	const chunkElements = 4096
	size := array.element.size
	e, g := make([]byte, chunkElements*size), make([]byte, chunkElements*size)
	var mismatch *Mismatch
	for first := 0; first < array.count; first += chunkElements {
		n := min(chunkElements, array.count-first)
		if err := readBoth(expected, got, e[:n*size], g[:n*size]); err != nil {
			return nil, fmt.Errorf("the data of array %s is incomplete: %w", array.name, err)
		}
		if bytes.Equal(e[:n*size], g[:n*size]) {
			continue
		}
		for i := range n {
			a, b := e[i*size:(i+1)*size], g[i*size:(i+1)*size]
			if agrees(a, b) {
				continue
			}
			if mismatch == nil {
				mismatch = &Mismatch{Array: strings.ReplaceAll(array.name, "[]", ""), Element: array.elementAt(first + i), Elements: array.count}
				mismatch.Expected, mismatch.Got = array.element.format(a, b)
			}
			mismatch.Count++
		}
	}
	return mismatch, nil
}

func readBoth(expected, got io.Reader, e, g []byte) error {
	if _, err := io.ReadFull(expected, e); err != nil {
		return err
	}
	_, err := io.ReadFull(got, g)
	return err
}

// elementAt is the element at a row-major position as C writes it: the first
// subscripts go where the name has brackets, the others behind it.
func (a dumpedArray) elementAt(position int) string {
	index := make([]int, len(a.extents))
	for d := len(a.extents) - 1; d >= 0; d-- {
		index[d] = position % a.extents[d]
		position /= a.extents[d]
	}
	text := a.name
	for _, i := range index {
		subscript := fmt.Sprintf("[%d]", i)
		if strings.Contains(text, "[]") {
			text = strings.Replace(text, "[]", subscript, 1)
		} else {
			text += subscript
		}
	}
	return text
}
