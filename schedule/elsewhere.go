package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// elsewhere are words of other systems, with how the same is written here: those of Tiramisu (T),
// Halide (H), TVM (V), Exo (E), LOOPer (L) and MLIR's transform dialect (M).
var elsewhere = map[string]string{
	"parallelize":            "parallel LOOP",                                          // T
	"tag_parallel_level":     "parallel LOOP",                                          // T
	"tag_vector_level":       "vectorize LOOP",                                         // T
	"tag_unroll_level":       "unroll LOOP",                                            // T
	"vectorise":              "vectorize LOOP",                                         //
	"unroll_loop":            "unroll LOOP",                                            // E
	"compute_at":             "compute S at L",                                         // T, H, V
	"reverse_compute_at":     "compute S at L",                                         // V
	"fuse_at":                "compute S at L",                                         // E
	"compute_inline":         "inline S",                                               // H, V
	"fuse_after":             "fuse L L",                                               // T
	"compute_with":           "fuse L L",                                               // H
	"fuse_into":              "fuse L L",                                               // M
	"then":                   "after S P at L",                                         // T
	"between":                "after S P at L, and before S P at L",                    // T
	"set_schedule":           "schedule { S0[i, j] -> [...]; ... }",                    // T
	"split_loop":             "tile L by N",                                            //
	"divide_loop":            "tile L by N",                                            // E
	"strip_mine":             "tile L by N",                                            //
	"tile_using_for":         "tile L L by N N",                                        // M
	"loop_interchange":       "interchange L L",                                        // L, M
	"permute":                "reorder L L ...",                                        //
	"reorder_loops":          "interchange L L",                                        // E
	"swap":                   "interchange L L",                                        //
	"matrix":                 "unimodular L L by [1 0; 2 1]",                           // L
	"reversal":               "reverse L",                                              // L
	"skewing":                "skew L by N L",                                          // L
	"fission":                "distribute L",                                           // E
	"distribute_loop":        "distribute L",                                           //
	"store_in":               "store A[i][j] as [j][i]",                                // T
	"store_at":               "allocate A at L",                                        // H
	"bound_storage":          "store A[i][j] as [j][i]",                                // H
	"reorder_storage":        "store A[i][j] as [j][i]",                                // H
	"fold_storage":           "store A[t][i] as [t % 2][i]",                            // H
	"allocate_at":            "allocate A at L",                                        // T
	"copy_at":                "copy A at L",                                            // T
	"cache_read":             "copy A at L",                                            // V
	"cache_write":            "copy A at L",                                            // V
	"stage_mem":              "copy A at L",                                            // E
	"barrier_at":             "barrier L",                                              // T
	"rfactor":                "reassociate, and parallel L reduction(+:A)",             // H, V
	"tensorize":              "registers L L by N N",                                   // V
	"blockize":               "registers L L by N N",                                   // V
	"bind":                   "parallel LOOP, and for devices block LOOP, thread LOOP", // V
	"prefetch_at":            "prefetch A at L by N",                                   //
	"structured.fuse":        "fuse L L",                                               // M
	"structured.vectorize":   "vectorize LOOP",                                         // M
	"structured.interchange": "interchange L L",                                        // M
}

// meantElsewhere says what words of ours mean in other systems, and how that is written here.
var meantElsewhere = map[string]string{
	"split": "a loop in pieces of N iterations is written: tile L by N",
}

// unknown says that there is no command with a word: what it is called here, where it is one of
// another system, or those that are spelled alike.
func (l Language) unknown(word string) error {
	if written := l.inOurWords(word); written != "" {
		return fmt.Errorf("there is no command %q; it is written: %s", word, written)
	}
	words := slices.Sorted(maps.Keys(l))
	if near := nearest(word, words); near != "" {
		return fmt.Errorf("there is no command %q; did you mean %s?", word, near)
	}
	return fmt.Errorf("there is no command %q; there are %s", word, strings.Join(words, ", "))
}

// inOurWords is how the language writes what another system calls so; "" where it has no such
// command.
func (l Language) inOurWords(word string) string {
	written, known := elsewhere[strings.ToLower(word)]
	own, _, _ := strings.Cut(written, " ")
	if !known || l[strings.TrimSuffix(own, ",")] == nil {
		return ""
	}
	return written
}

// mostChanged is the number of letters by which a word may differ from one that is meant.
const mostChanged = 2

// nearest is the one of some words from which the fewest letters differ, "" where none is near.
func nearest(word string, words []string) (near string) {
	least := min(mostChanged, len(word)/2) + 1
	for _, w := range words {
		if d := editDistance(word, w); d < least {
			near, least = w, d
		}
	}
	return near
}

// editDistance is the number of letters that are to be changed, put in or left out to make one word
// of the other (Levenshtein, 1966).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+change)
		}
	}
	return row[len(b)]
}
