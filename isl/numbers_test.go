package isl_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"polytune/isl"
)

// onThread calls what it gets on one thread of the system, until there is no more.
func onThread(calls <-chan func(), done chan<- struct{}) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for call := range calls {
		call()
		done <- struct{}{}
	}
}

// residentPages are those of this process's memory that are in use, without what Go has not given
// back yet.
func residentPages(t *testing.T) (pages int) {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("the memory of this process is not told: ", err)
	}
	if _, err := fmt.Sscan(string(text), new(int), &pages); err != nil {
		t.Fatal(err)
	}
	return pages
}

// Numbers that one thread makes and another one frees leave no memory behind. Numbers of all lengths
// stay what they are.
func TestNumbersOfSeveralThreads(t *testing.T) {
	maker, freer, done := make(chan func()), make(chan func()), make(chan struct{})
	defer close(maker)
	defer close(freer)
	go onThread(maker, done)
	go onThread(freer, done)
	var pieces, numbers []string
	for i := range 60 {
		numbers = append(numbers, fmt.Sprintf("%d%s", 7*i+3, strings.Repeat("9", i%60)))
		pieces = append(pieces, fmt.Sprintf("[%d, %s]", i, numbers[i]))
	}
	rows := make([][]int64, 60)
	for i := range rows {
		for k := range int64(30) {
			rows[i] = append(rows[i], int64(i)*k+k*k+1)
		}
	}
	text := "{ " + strings.Join(pieces, "; ") + " }"
	before := 0
	for round := range 50 {
		var ctx *isl.Context
		maker <- func() {
			ctx = isl.NewContext()
			for range 30 {
				ctx.BasicSetFromConstraints(len(rows[0])-1, nil, rows)
			}
			got := ctx.ReadSet(text).Intersect(ctx.ReadSet("{ [i, j] : i >= 50 }")).String()
			for _, number := range numbers[50:] {
				if !strings.Contains(got, " "+number+"]") {
					t.Errorf("round %d: %s lacks %s", round, got, number)
				}
			}
		}
		<-done
		freer <- func() { ctx.Close() }
		<-done
		if round == 10 {
			before = residentPages(t)
		}
	}
	if grown := (residentPages(t) - before) * os.Getpagesize(); grown > 8<<20 {
		t.Errorf("40 rounds later the process has %d bytes more", grown)
	}
}
