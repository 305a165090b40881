package scop

import (
	"errors"
	"testing"

	"polytune/isl"
)

// Questions of different types, and about different programs, are different; an error is no answer.
func TestKnown(t *testing.T) {
	type first struct{ statement int }
	type second struct{ statement int }
	m := &Model{Program: &Program{}}
	asked := 0
	ask := func(m *Model, question any, answer int, failure error) int {
		got, err := Known(m, question, func() (int, error) { asked++; return answer, failure })
		if err != failure {
			t.Fatalf("got %v, want %v", err, failure)
		}
		return got
	}
	ask(m, first{1}, 0, errors.New("failure"))
	for range 2 {
		if ask(m, first{1}, 5, nil) != 5 || ask(m, second{1}, 6, nil) != 6 || ask(m, first{2}, 7, nil) != 7 {
			t.Error("an answer belongs to another question")
		}
	}
	if asked != 4 {
		t.Errorf("asked %d times, not 4", asked)
	}
	copied := *m
	copied.Program = &Program{}
	if ask(&copied, first{1}, 8, nil) != 8 || ask(m, first{1}, 0, nil) != 5 {
		t.Error("an answer belongs to another program")
	}
}

// An answer made of isl's objects is asked for again when one of them is released.
func TestLately(t *testing.T) {
	type question struct{ statement int }
	context := isl.NewContext()
	defer context.Close()
	m, other := &Model{Program: &Program{}, Context: context}, &Model{Program: &Program{}, Context: context}
	asked := 0
	ask := func(m *Model, failure error) *isl.Set {
		got, err := Lately(m, question{1}, func() (*isl.Set, error) { asked++; return context.ReadSet("{ [i] }"), failure })
		if err != failure {
			t.Fatalf("got %v, want %v", err, failure)
		}
		return got
	}
	start := context.Mark()
	ask(m, errors.New("failure"))
	first := ask(m, nil)
	if ask(m, nil) != first || ask(other, nil) == first || asked != 3 {
		t.Errorf("an answer belongs to another model, or is asked for %d times, not 3", asked)
	}
	context.Release(start)
	if ask(m, nil) == first || asked != 4 {
		t.Error("an answer of released objects is there")
	}
}
