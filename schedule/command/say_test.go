package command

import (
	"strings"
	"testing"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// What several commands have left at a loop is told in one order, parts of one phrase together, and
// what the code lacks is not told of as if it were there.
func TestSay(t *testing.T) {
	one := []schedule.Term{{Size: 1}}
	vector := mark.Set{mark.Vector{}}
	var declined []mark.Declined
	for _, m := range []mark.Mark{mark.Stream{Loop: "c9.1"}, mark.Overlap{Loop: "c9.1"}, mark.Registers{Loop: "c9.1"}, mark.Team{Loop: "c9.1"}, mark.Relay{Loop: "c9.1"}, mark.Collapse{Loop: "c9.2"}, mark.Local{Loop: "c9.1", Array: "A"}, mark.Layout{Loop: "c9.1", Array: "A"}, mark.Parallel{Loop: "c7.1"}, mark.Vector{Loop: "c7.2"}, mark.Dynamic{Loop: "c7.3"}} {
		declined = append(declined, mark.Declined{Mark: m, Reason: "no"})
	}
	for want, l := range map[string]schedule.Loop{
		"": {Terms: one},
		"over tiles of 8; on 4 threads from 9 iterations on, which get iterations one by one; full tiles apart from partial ones": {
			Terms: []schedule.Term{{Size: 8}}, Level: 1, Requests: []schedule.Request{Separate{}}, Marks: mark.Set{mark.Dynamic{}, mark.Threads{From: 9}, mark.Parallel{}}},
		"on 4 threads where N x 2M is 9 or more":                                                         {Terms: one, Marks: mark.Set{mark.Parallel{}, mark.Threads{From: 9, Of: make([]scop.Row, 2), Extents: "N, 2M"}}},
		"on 4 threads where N x (2r + 1) is 9 or more":                                                   {Terms: one, Marks: mark.Set{mark.Parallel{}, mark.Threads{From: 9, Of: make([]scop.Row, 2), Extents: "N, 2r + 1"}}},
		"on 4 threads where 2r + 1 is 9 or more":                                                         {Terms: one, Marks: mark.Set{mark.Parallel{}, mark.Threads{From: 9, Of: make([]scop.Row, 1), Extents: "2r + 1"}}},
		"over wavefronts of 2 loops; run by all threads, which start here":                               {Terms: []schedule.Term{{Size: 8}, {Size: 8}}, Level: 1, Marks: mark.Set{mark.Region{}, mark.Team{}}},
		"unrolled in full blocks; in SIMD lanes where the compiler thinks that they pay":                 {Terms: one, Unrolled: true, Marks: vector.With(mark.Ivdep{})},
		"without threads, because no":                                                                    {Name: "c7.1", Terms: one, Marks: mark.Set{mark.Dynamic{}, mark.Threads{From: 9}, mark.Parallel{}}},
		"without SIMD lanes, because no":                                                                 {Name: "c7.2", Terms: one, Marks: vector.With(mark.Ivdep{}).With(mark.Overlap{Lanes: 8, Rows: 2})},
		"on 4 threads; without threads that get iterations one by one, because no":                       {Name: "c7.3", Terms: one, Marks: mark.Set{mark.Dynamic{}, mark.Parallel{}}},
		"over tiles of 8 steps, in two phases":                                                           {Level: 1, Hexagon: &schedule.HexagonPlace{Of: &schedule.Hexagon{Sizes: []int64{4, 9, 32}}}},
		"over hexagons at least 9 wide; on 4 threads":                                                    {Level: 1, Hexagon: &schedule.HexagonPlace{Of: &schedule.Hexagon{Sizes: []int64{4, 9, 32}}, Place: 1}, Marks: mark.Set{mark.Parallel{}}},
		"over sloped tiles of 32":                                                                        {Level: 1, Hexagon: &schedule.HexagonPlace{Of: &schedule.Hexagon{Sizes: []int64{4, 9, 32}}, Place: 2}},
		"over register blocks of 4":                                                                      {Terms: []schedule.Term{{Size: 4}}, Block: true},
		"in vectors of 4 that are stored past the caches":                                                {Terms: one, Marks: vector.With(mark.Ivdep{}).With(mark.Stream{Lanes: 4})},
		"in vectors of 8 that overlap at the ends, 2 rows beside each other":                             {Terms: one, Marks: vector.With(mark.Overlap{Lanes: 8, Rows: 2})},
		"without register blocks, because no; in SIMD lanes; without stores past the caches, because no": {Name: "c9.1", Terms: one, Marks: vector.With(mark.Stream{Lanes: 4})},
		"without register blocks, because no; in SIMD lanes; without vectors that overlap, because no":   {Name: "c9.1", Terms: one, Marks: vector.With(mark.Overlap{Lanes: 4, Rows: 1})},
		"without register blocks, because no; without threads that start there, because no":              {Name: "c9.1", Terms: one, Marks: mark.Set{mark.Team{}}},
		"without register blocks, because no; without a relay of threads, because no":                    {Name: "c9.1", Terms: one, Requests: []schedule.Request{Relay{}}},
		"not shared by threads together with the loop outside, because no":                               {Name: "c9.3", Terms: one, Collapsed: true},
		"whose iterations threads share together with those of the loop outside":                         {Name: "c8.3", Terms: one, Collapsed: true},
		"with elements of s_1 for one iteration alone; with a copy of the elements of A that an iteration touches; with all copies of A inside side by side": {
			Terms: one, Requests: []schedule.Request{Layout{Array: "A"}, Copy{Array: "A"}, Contract{Array: "s_1"}}},
		"without register blocks, because no; without a copy of A, because no; without copies of A side by side, because no": {Name: "c9.1", Terms: one, Requests: []schedule.Request{Copy{Array: "A"}, Layout{Array: "A"}}},
	} {
		if got := strings.Join(All.Say(&l, schedule.Telling{Threads: 4, Declined: declined}), "; "); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
