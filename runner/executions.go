package runner

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
)

// The records of a dump of executions, by their first byte.
const (
	// recordValue is an element: the array's number, the element's size in
	// bytes (32 bits each), its subscripts (64 bits each), its bytes.
	recordValue = 'V'
	// recordExecution ends an execution: a summary for each array, of all
	// elements visited.
	recordExecution = 'E'
	// recordEnd ends the file: the number of executions, and the largest magnitude that the region
	// has read, where that is wanted (64 bits each).
	recordEnd = 'Z'
)

// executionsFile is an open dump of all executions of a region.
type executionsFile struct {
	*headedFile[watched]
}

// record is one record of a dump. Its slices are valid until the next is read.
type record struct {
	kind  byte
	array int
	index []int64
	value []byte
	text  []byte
	// summaries are those of an execution.
	summaries []summary
	end
}

// summary is what is known of an array behind an execution: a hash of all elements visited, their
// number, that of NaNs and infinities, the size of an element in bytes, and sums as those of a
// Fingerprint, of whose parts each has every 64th element.
type summary struct {
	Hash, Seen, NonFinite, Element uint64
	Weighted                       float64
	Sums, Magnitudes               [fingerprintBlocks]float64
}

// fingerprint is the summary of an array of a kind.
func (s *summary) fingerprint(kind string) Fingerprint {
	f := Fingerprint{Kind: kind, Element: int(s.Element), Count: int(s.Seen), NonFinite: int(s.NonFinite), Hash: strconv.FormatUint(s.Hash, 16),
		Weighted: s.Weighted, Sums: s.Sums[:], Magnitudes: s.Magnitudes[:]}
	for k := range s.Sums {
		f.Sum, f.Absolute = f.Sum+s.Sums[k], f.Absolute+s.Magnitudes[k]
	}
	return f
}

// end is what ends a dump: the number of executions, and the largest magnitude read.
type end struct {
	executions  uint64
	largestRead float64
}

// isExecutions tells the dump of a Program from that of a Driver.
func isExecutions(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	magic := make([]byte, len(executionsMagic))
	_, err = io.ReadFull(file, magic)
	return err == nil && string(magic) == executionsMagic
}

func openExecutions(path string) (*executionsFile, error) {
	file, err := openHeaded(path, executionsMagic, parseWatched)
	if err != nil {
		return nil, err
	}
	return &executionsFile{file}, nil
}

// parseWatched reads "name kind dimensions element".
func parseWatched(fields []string) (watched, error) {
	if len(fields) != 4 {
		return watched{}, errors.New("this is no description of an array")
	}
	dimensions, err := strconv.Atoi(fields[2])
	if err != nil || dimensions < 0 {
		return watched{}, fmt.Errorf("%q is no number of dimensions", fields[2])
	}
	return watched{Name: fields[0], Element: fields[3], Kind: fields[1], Dimensions: dimensions}, nil
}

// next reads a record into r.
func (d *executionsFile) next(r *record) error {
	kind, err := d.ReadByte()
	if err != nil {
		return err
	}
	r.kind = kind
	switch kind {
	case recordValue:
		return d.value(r)
	case recordExecution:
		r.summaries = make([]summary, len(d.arrays))
		return binary.Read(d, binary.NativeEndian, r.summaries)
	case recordEnd:
		return errors.Join(binary.Read(d, binary.NativeEndian, &r.executions), binary.Read(d, binary.NativeEndian, &r.largestRead))
	}
	return fmt.Errorf("a record of the unknown kind %q", kind)
}

func (d *executionsFile) value(r *record) error {
	var head [8]byte
	if _, err := io.ReadFull(d, head[:]); err != nil {
		return err
	}
	array, size := binary.NativeEndian.Uint32(head[:]), binary.NativeEndian.Uint32(head[4:])
	if int(array) >= len(d.arrays) || size > 64 {
		return fmt.Errorf("an element of %d bytes of array number %d", size, array)
	}
	r.array = int(array)
	dimensions := d.arrays[array].Dimensions
	text := slices.Grow(r.text[:0], 8*dimensions+int(size))[:8*dimensions+int(size)]
	if _, err := io.ReadFull(d, text); err != nil {
		return err
	}
	r.text = text
	r.index = r.index[:0]
	for k := range dimensions {
		r.index = append(r.index, int64(binary.NativeEndian.Uint64(text[8*k:])))
	}
	r.value = text[8*dimensions:]
	return nil
}

// compareExecutions compares two dumps execution by execution.
func compareExecutions(reference, variant string, allowed allowance) error {
	expected, err := openExecutions(reference)
	if err != nil {
		return err
	}
	defer expected.Close()
	got, err := openExecutions(variant)
	if err != nil {
		return err
	}
	defer got.Close()
	c := executionsComparison{expected: expected, got: got, execution: 1, allowance: allowed}
	for {
		if done, err := c.step(); done || err != nil {
			return err
		}
	}
}

// executionsComparison walks two dumps side by side.
type executionsComparison struct {
	expected, got *executionsFile
	a, b          record
	execution     int
	allowance
	// mismatch is the first difference of this execution; elements counts
	// the elements of each array.
	mismatch *Mismatch
	array    int
	elements map[int]int
}

// step compares the next record of each dump. done says that they were the
// last.
func (c *executionsComparison) step() (done bool, err error) {
	if err := errors.Join(c.expected.next(&c.a), c.got.next(&c.b)); err != nil {
		return true, fmt.Errorf("the dumped data is incomplete: %w", err)
	}
	switch {
	case c.a.kind == recordValue && c.b.kind == recordValue:
		return false, c.compareValues()
	case c.a.kind == recordExecution && c.b.kind == recordExecution:
		return false, c.compareHashes()
	case c.a.kind == recordEnd && c.b.kind == recordEnd && c.a.executions == c.b.executions:
		return true, nil
	case c.a.kind == recordEnd || c.b.kind == recordEnd:
		return true, c.differentExecutions()
	}
	return true, c.differentElements()
}

// compareValues notes the first difference of an execution, and counts those
// of the same array.
func (c *executionsComparison) compareValues() error {
	array := c.expected.arrays[c.a.array]
	if c.a.array != c.b.array || !slices.Equal(c.a.index, c.b.index) || len(c.a.value) != len(c.b.value) {
		return c.differentElements()
	}
	if c.elements == nil {
		c.elements = map[int]int{}
	}
	c.elements[c.a.array]++
	element := elementType{kind: array.Kind[0], size: len(c.a.value)}
	if c.agrees(c.a.array, element, c.toleranceOf(array.Name), c.a.value, c.b.value) {
		return nil
	}
	if c.mismatch == nil {
		c.array = c.a.array
		c.mismatch = &Mismatch{Array: array.Name, Element: array.element(c.a.index), Execution: c.execution}
		c.mismatch.Sensitive = c.sensitivity.isLarge(c.a.array, c.tolerance.relative(element.size))
		c.mismatch.Expected, c.mismatch.Got = element.format(c.a.value, c.b.value)
	}
	if c.a.array == c.array {
		c.mismatch.Count++
	}
	return nil
}

// toleranceOf is the one for an array in this execution.
func (c *executionsComparison) toleranceOf(array string) Tolerance {
	if c.execution > 1 {
		return c.tolerance
	}
	return c.tolerance.of(array)
}

// compareHashes ends an execution.
func (c *executionsComparison) compareHashes() error {
	if c.mismatch != nil {
		c.mismatch.Elements = c.elements[c.array]
		return c.mismatch
	}
	for k, array := range c.expected.arrays {
		a, b, tolerance := c.a.summaries[k], c.b.summaries[k], c.toleranceOf(array.Name)
		compared := tolerance != (Tolerance{}) && uint64(c.elements[k]) == a.Seen
		if !compared && a.Hash != b.Hash && !c.areAlike(k, array.Kind, tolerance, a, b) {
			return &Mismatch{Array: array.Name, Execution: c.execution}
		}
	}
	c.execution++
	clear(c.elements)
	return nil
}

// differentElements is the error of executions that write different elements:
// the values of the parameters differ.
func (c *executionsComparison) differentElements() error {
	return &Mismatch{Array: "the set of elements that the region may write", Execution: c.execution}
}

// differentExecutions counts what is left of both dumps.
func (c *executionsComparison) differentExecutions() error {
	counts := [2]uint64{}
	for k, side := range []struct {
		file *executionsFile
		last *record
	}{{c.expected, &c.a}, {c.got, &c.b}} {
		for side.last.kind != recordEnd {
			if err := side.file.next(side.last); err != nil {
				return fmt.Errorf("the dumped data is incomplete: %w", err)
			}
		}
		counts[k] = side.last.executions
	}
	return &ExecutionsError{Expected: counts[0], Got: counts[1]}
}
