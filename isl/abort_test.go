package isl_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"polytune/isl"
)

// A computation that would go on for ever ends when the watched context does.
func TestAbortOn(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	limited, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	defer c.AbortOn(limited)()
	for c.Err() == nil {
		mark := c.Mark()
		c.ReadSet("{ [i, j, k] : exists e: 3e <= i + j and 7e >= k - i and 0 <= i, j, k <= 1000 }").Lexmin()
		c.Release(mark)
	}
	if err := c.TakeErr(); !isl.IsLimit(err) {
		t.Fatalf("got %v, want the abortion", err)
	}
	if c.ReadSet("{ [i] : 0 <= i < 5 }").Lexmin(); !isl.IsLimit(c.Err()) {
		t.Errorf("an operation after the abortion: %v", c.Err())
	}
}

func TestAbortOnIsOver(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	watched, cancel := context.WithCancel(context.Background())
	c.AbortOn(watched)()
	cancel()
	time.Sleep(10 * time.Millisecond)
	if c.ReadSet("{ [i] : 0 <= i < 5 }").Lexmin(); c.Err() != nil {
		t.Errorf("an operation after the watch: %v", c.Err())
	}
}

// A number beyond 64 bits is too hard as well: what asks may try something simpler.
func TestTooLargeIsALimit(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	_, _, err := c.ReadSet("{ [i] : i >= 100000000000000000000 }").BasicSets()[0].Lexmin()
	if !errors.Is(err, isl.ErrTooLarge) || !isl.IsLimit(err) {
		t.Errorf("got %v", err)
	}
}
