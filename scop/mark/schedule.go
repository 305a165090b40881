package mark

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/pattern"
	"polytune/isl"
)

// Schedule is a schedule tree with what its marks say. In the tree a mark has the name "m" and its
// number in the table.
type Schedule struct {
	Tree  *isl.Schedule
	Marks *Table
}

// Table has the marks of one or several schedule trees by their numbers. Equal marks have one
// number.
type Table []Mark

// Name is the name of a mark in schedule trees with this table, which has it from now on.
func (t *Table) Name(m Mark) string {
	number := slices.IndexFunc(*t, func(other Mark) bool { return reflect.DeepEqual(m, other) })
	if number < 0 {
		number = len(*t)
		*t = append(*t, m)
	}
	return "m" + strconv.Itoa(number)
}

// Replace has another mark in the place of the one of a name.
func (t *Table) Replace(name string, m Mark) {
	if number, err := strconv.Atoi(strings.TrimPrefix(name, "m")); err == nil && number >= 0 && number < len(*t) {
		(*t)[number] = m
	}
}

// At is the mark of that name; the error is that the table has none.
func (t *Table) At(name string) (Mark, error) {
	if t != nil && len(name) > 1 && name[0] == 'm' {
		if number, err := strconv.Atoi(name[1:]); err == nil && number >= 0 && number < len(*t) {
			return (*t)[number], nil
		}
	}
	return nil, fmt.Errorf("the schedule tree has a mark %q that nobody knows", name)
}

// Of is what the mark of a node says, nil for another node and for a mark that is not in the table.
func (t *Table) Of(node *isl.ScheduleNode) Mark {
	if node.Type() != isl.NodeMark {
		return nil
	}
	m, _ := t.At(node.MarkName())
	return m
}

// inTree finds the names of marks in the text of a schedule tree.
var inTree = pattern.New(`mark: "(m\d+)"`)

// String is the tree in isl's notation, with the marks' texts in the place of their names.
func (s Schedule) String() string {
	return inTree.ReplaceAllStringFunc(s.Tree.String(), func(found string) string {
		m, err := s.Marks.At(inTree.FindStringSubmatch(found)[1])
		if err != nil {
			return found
		}
		return fmt.Sprintf("mark: %q", m)
	})
}
