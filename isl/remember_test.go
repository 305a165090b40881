package isl_test

import "testing"

// An answer is there until an object is released that it may be made of.
func TestRemember(t *testing.T) {
	type first struct{ number int }
	type second struct{ number int }
	c := newContext(t)
	c.ReadUnionSet("{ [i] }")
	c.Remember(first{1}, "outside")
	mark := c.Mark()
	c.Remember(first{2}, "before the mark")
	c.ReadUnionSet("{ [i] }")
	c.Remember(second{1}, "inside")
	c.Remember(first{1}, "later")
	if c.Remembered(first{1}) != "later" || c.Remembered(second{1}) != "inside" || c.Remembered(second{2}) != nil {
		t.Error("an answer belongs to another question")
	}
	c.Release(c.Mark())
	if c.Remembered(second{1}) != "inside" {
		t.Error("an answer is gone though nothing was released")
	}
	c.Release(mark)
	if c.Remembered(first{1}) != "outside" || c.Remembered(first{2}) != "before the mark" || c.Remembered(second{1}) != nil {
		t.Error("an answer made of what was released is there, or another one is not")
	}
	c.ReadUnionSet("{ [i] }")
	c.Release(0)
	if c.Remembered(first{1}) != nil {
		t.Error("an answer is there without its objects")
	}
}
