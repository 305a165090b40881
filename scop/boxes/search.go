package boxes

import (
	"reflect"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// In are the boxes of a kernel, outer ones first. What the code below them uses is found once for
// a kernel, as long as isl's objects are there: it depends on no side of a box.
func In(model *scop.Model, marks *mark.Table, kernel *isl.ScheduleNode) ([]*Box, error) {
	type question struct {
		model *scop.Model
		marks *mark.Table
		name  string
	}
	context, asked := model.Context, question{model, marks, kernel.MarkName()}
	if known, is := context.Remembered(asked).(*search); is && known.isOf(kernel, marks) {
		return known.boxes(marks), context.Err()
	}
	f := &finder{model: model, marks: marks}
	if err := context.Sound(func() error { return f.in(kernel) }); err != nil {
		return f.found, err
	}
	made := &search{kernel, withoutSides(marks), f.found}
	context.Remember(asked, made)
	return made.boxes(marks), nil
}

// search has the boxes of a kernel that were found, in a tree with those marks.
type search struct {
	kernel *isl.ScheduleNode
	marks  []mark.Mark
	found  []*Box
}

// isOf says whether the boxes are those of a kernel in a tree with other marks.
func (s *search) isOf(kernel *isl.ScheduleNode, marks *mark.Table) bool {
	is, err := s.kernel.IsEqual(kernel)
	return err == nil && is && reflect.DeepEqual(s.marks, withoutSides(marks))
}

// boxes are those found, with the sides that the marks have now.
func (s *search) boxes(marks *mark.Table) (boxes []*Box) {
	for _, found := range s.found {
		box := *found
		box.Box, box.Around = marks.Of(box.Node).(mark.Box), nil
		for _, node := range box.around {
			box.Around = append(box.Around, marks.Of(node))
		}
		boxes = append(boxes, &box)
	}
	return boxes
}

// withoutSides are the marks of a table without what Fill gives boxes.
func withoutSides(marks *mark.Table) []mark.Mark {
	all := slices.Clone(*marks)
	for k, m := range all {
		if box, is := m.(mark.Box); is {
			box.Sides, box.Moves = nil, mark.BoxMove{}
			all[k] = box
		}
	}
	return all
}
