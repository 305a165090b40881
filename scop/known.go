package scop

// Known is the answer to a question about a model, which find finds: it is asked for once, however
// many computations want to know it. The question is a value of a type of its asker's own, which
// can be compared and says all that the answer depends on besides the model. The answer is plain
// data that nobody changes, or objects of isl that their context keeps; errors are not kept.
func Known[T any](m *Model, question any, find func() (T, error)) (T, error) {
	about := asked{m.Program, question}
	if answer, known := m.answers[about]; known {
		return answer.(T), nil
	}
	answer, err := find()
	if err == nil {
		if m.answers == nil {
			m.answers = map[asked]any{}
		}
		m.answers[about] = answer
	}
	return answer, err
}

// asked is a question about a program.
type asked struct {
	program  *Program
	question any
}

// Lately is Known for an answer that is made of isl's objects: it is there until one of those of now
// is released.
func Lately[T any](m *Model, question any, find func() (T, error)) (T, error) {
	about := askedLately{m, question}
	if answer, known := m.Context.Remembered(about).(T); known {
		return answer, m.Context.Err()
	}
	answer, err := find()
	if err == nil {
		m.Context.Remember(about, answer)
	}
	return answer, err
}

// askedLately is a question about a model.
type askedLately struct {
	model    *Model
	question any
}
