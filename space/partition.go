package space

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Partition is a class vector: element i is the number of the class of
// statement i, with statements in textual order and classes numbered from 0
// in the order of their execution, without gaps. Statements of one class are
// fused under a common outer loop; statements of different classes share none.
// The paper writes it f (SC'10, section IV-B).
type Partition []int

// Parse reads a class vector written as numbers joined by hyphens, such as
// "0-1-1-2".
func Parse(text string) (Partition, error) {
	p, err := parseVector(text)
	if err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("partition %q: %w", text, err)
	}
	return p, nil
}

// parseVector reads numbers joined by hyphens.
func parseVector(text string) (Partition, error) {
	var p Partition
	for field := range strings.SplitSeq(text, "-") {
		class, err := strconv.ParseUint(strings.TrimSpace(field), 10, 31)
		if err != nil {
			return nil, fmt.Errorf("partition %q: %q is not a class number; write one number per statement, joined by hyphens, such as 0-1-1-2", text, field)
		}
		p = append(p, int(class))
	}
	return p, nil
}

// String is the class vector as Parse reads it: "0-1-1-2".
func (p Partition) String() string {
	fields := make([]string, len(p))
	for i, class := range p {
		fields[i] = strconv.Itoa(class)
	}
	return strings.Join(fields, "-")
}

// Validate says what is wrong with a vector whose class numbers are not
// 0, 1, …, m-1, each of them used.
func (p Partition) Validate() error {
	used := make([]bool, len(p))
	count := 0
	for i, class := range p {
		if class < 0 || class >= len(p) {
			return fmt.Errorf("statement %d is in class %d, but %d statements have classes 0 to %d at most", i, class, len(p), len(p)-1)
		}
		count = max(count, class+1)
		used[class] = true
	}
	if gap := slices.Index(used[:count], false); gap >= 0 {
		return fmt.Errorf("no statement is in class %d, but one is in class %d; number the classes from 0 without gaps", gap, count-1)
	}
	return nil
}

// Normalise is the partition with the same classes in the same order and
// numbers 0, 1, …: {3, 7, 3} becomes {0, 1, 0}.
func (p Partition) Normalise() Partition {
	numbers := slices.Compact(slices.Sorted(slices.Values(p)))
	normal := make(Partition, len(p))
	for i, class := range p {
		normal[i], _ = slices.BinarySearch(numbers, class)
	}
	return normal
}

// Count is the number of classes of a normalised partition.
func (p Partition) Count() int {
	count := 0
	for _, class := range p {
		count = max(count, class+1)
	}
	return count
}

// Classes are the statements of each class of a normalised partition, in
// textual order; classes are in the order of their execution. A statement
// with a negative class number is in none.
func (p Partition) Classes() [][]int {
	classes := make([][]int, p.Count())
	for i, class := range p {
		if class >= 0 {
			classes[class] = append(classes[class], i)
		}
	}
	return classes
}

// Drawing shows the classes of a normalised partition in the order of their
// execution: "{S0} {S1 S2} {S3}". names are those of the statements; a
// statement without one is drawn by its number.
func (p Partition) Drawing(names []string) string {
	var classes []string
	for _, class := range p.Classes() {
		classes = append(classes, drawClass(class, names))
	}
	return strings.Join(classes, " ")
}

func drawClass(class []int, names []string) string {
	members := make([]string, len(class))
	for i, statement := range class {
		members[i] = nameOf(statement, names)
	}
	return "{" + strings.Join(members, " ") + "}"
}

func nameOf(statement int, names []string) string {
	if statement < len(names) {
		return names[statement]
	}
	return strconv.Itoa(statement)
}

// Compare orders partitions lexicographically by class vector: -1, 0 or +1
// for p before, equal to, or after q.
func (p Partition) Compare(q Partition) int { return slices.Compare(p, q) }
