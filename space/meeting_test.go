package space

import (
	"slices"
	"testing"

	"polytune/scop"
)

// Whether loops that no dependence keeps apart can be one, and how many
// iterations may be peeled for that.
func TestMeeting(t *testing.T) {
	for _, test := range []struct {
		name  string
		nests []loopNest
		// peel is the smallest bound with which the statements are fusible; 0
		// for none up to 6.
		peel int
	}{
		{"the same range", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 0<=i<N ; w:B[i]"}, 1},
		{"opposite directions", []loopNest{"0 0 ; ~i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 0<=i<N ; w:B[i]"}, 1},
		{"opposite directions, up to different parameters", []loopNest{"0 0 ; ~i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 0<=i<M ; w:B[i]"}, 1},
		{"opposite directions, down from the smaller of two", []loopNest{"0 0 ; ~i ; 0<=i<N and i<M ; w:A[i]", "1 0 ; i ; 0<=i<M ; w:B[i]"}, 1},
		{"an inner loop down", []loopNest{"0 0 0 ; i ~j ; 0<=j<=i<N ; w:A[i,j]", "1 0 ; i ; 0<=i<N ; w:B[i]"}, 1},
		{"one range after the other", []loopNest{"0 0 ; i ; 0<=i<100 ; w:A[i]", "1 0 ; i ; 100<=i<200 ; w:B[i]"}, 3},
		{"ranges with one number in common", []loopNest{"0 0 ; i ; 0<=i<100 ; w:A[i]", "1 0 ; i ; 99<=i<200 ; w:B[i]"}, 2},
		{"ranges with two numbers in common", []loopNest{"0 0 ; i ; 0<=i<100 ; w:A[i]", "1 0 ; i ; 98<=i<200 ; w:B[i]"}, 1},
		{"behind the end", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; N<=i<2N ; w:B[i]"}, 3},
		{"far behind the end", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 2N<=i<3N ; w:B[i]"}, 4},
		{"from one parameter to another", []loopNest{"0 0 ; i ; N<=i<M ; w:A[i]", "1 0 ; i ; M<=i<N ; w:B[i]"}, 0},
		{"from the larger parameter on", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; M<=i<N and M>=0 ; w:B[i]"}, 1},
		{"guards in one loop", []loopNest{"0 0 ; i ; 0<=i<2N and i<N ; w:A[i]", "0 1 ; i ; 0<=i<2N and i>=N ; w:B[i]"}, 3},
		{"guards that overlap", []loopNest{"0 0 ; i ; 0<=i<2N and i<N ; w:A[i]", "0 1 ; i ; 0<=i<2N and i+5>=N ; w:B[i]"}, 1},
		{"guards by parameters", []loopNest{"0 0 ; i ; 0<=i<N and M<5 ; w:A[i]", "0 1 ; i ; 0<=i<N and M>=5 ; w:B[i]"}, 0},
		{"even and odd", []loopNest{"0 0 ; i ; 0<=i<N and i mod 2 = 0 ; w:A[i]", "1 0 ; i ; 0<=i<N and i mod 2 = 1 ; w:B[i]"}, 1},
		{"a loop of one iteration in the range", []loopNest{"0 0 ; i ; 0<=i<1 ; w:A[i]", "1 0 ; i ; 0<=i<N ; w:B[i]"}, 1},
		{"a loop of one iteration before the range", []loopNest{"0 0 ; i ; 0<=i<1 ; w:A[i]", "1 0 ; i ; 1<=i<N ; w:B[i]"}, 2},
		{"no loop", []loopNest{"0 ; ; ; w:A[]", "1 0 ; i ; 100<=i<200 ; w:B[i]"}, 1},
		{"interchange would make them meet", []loopNest{"0 0 0 ; i j ; 0<=i<9 and 20<=j<29 ; w:A[i,j]", "1 0 0 ; i j ; 20<=i<29 and 0<=j<9 ; w:B[i,j]"}, 1},
		{"a cycle holds halves together", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i] r:s[]", "0 1 ; i ; 0<=i<2N ; u:s[] r:A[i] r:B[i-1]", "0 2 ; i ; N<=i<2N ; w:B[i] r:s[]"}, 1},
	} {
		graph := dependencesOf(t, test.nests)
		class := []int{0, 1, 2}[:len(test.nests)]
		for peel := 1; peel <= 6; peel++ {
			s, err := New(graph, Options{MaxPeel: peel})
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			rows, err := s.Rows(class)
			if want := test.peel > 0 && peel >= test.peel; err != nil || (rows != nil) != want {
				t.Errorf("%s, peel bound %d: rows %v (%v), want %v", test.name, peel, rows, err, want)
			}
			if meet, err := s.Meet(rows); !meet || err != nil {
				t.Errorf("%s, peel bound %d: rows %v meet: %v (%v)", test.name, peel, rows, meet, err)
			}
		}
	}
}

func meetingSpace(t *testing.T, nests []loopNest) *Space {
	t.Helper()
	s, err := New(dependencesOf(t, nests), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Of three loops, the first and the last have no iterations in common, but both
// have some with the one between: only two can be one.
func TestMeetingOfThree(t *testing.T) {
	s := meetingSpace(t, []loopNest{
		"0 0 ; i ; 0<=i<100 ; w:A[i]", "1 0 ; i ; 0<=i<200 ; w:B[i] r:A[i]", "2 0 ; i ; 100<=i<200 ; w:C[i] r:B[i]",
	})
	var got []string
	for _, p := range collect(t, s.All()) {
		got = append(got, p.String())
	}
	if want := []string{"0-0-1", "0-1-1", "0-1-2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Rows of any size and shift are judged for all parameters.
func TestMeet(t *testing.T) {
	s := meetingSpace(t, []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 0 ; i j ; 0<=i<10 and 0<=j<N ; w:B[i,j]"})
	for _, test := range []struct {
		rows []scop.Row
		want bool
	}{
		{[]scop.Row{{Iterators: []int64{1}}, {Iterators: []int64{1, 0}}}, true},
		{[]scop.Row{{Iterators: []int64{1}}, {Iterators: []int64{1, 0}, Constant: 1000}}, true},
		{[]scop.Row{{Iterators: []int64{1}}, {Iterators: []int64{1, 0}, Constant: -8}}, true},
		{[]scop.Row{{Iterators: []int64{1}}, {Iterators: []int64{1, 0}, Constant: -9}}, false},
		{[]scop.Row{{Iterators: []int64{1}}, {Iterators: []int64{0, 3}, Parameters: []int64{1, 0}}}, false},
		{[]scop.Row{{Iterators: []int64{-1}}, {Iterators: []int64{1, 0}}}, false},
		{[]scop.Row{{Iterators: []int64{-1}}, {Iterators: []int64{1, 0}, Constant: -2}}, true},
	} {
		rows := Rows{}
		for k, row := range test.rows {
			if row.Parameters == nil {
				row.Parameters = make([]int64, 2)
			}
			rows[k] = row
		}
		if got, err := s.Meet(rows); got != test.want || err != nil {
			t.Errorf("%v: got %v (%v), want %v", test.rows, got, err, test.want)
		}
	}
}
