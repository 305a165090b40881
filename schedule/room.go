package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"polytune/scop"
)

// sharingWord stands in front of the arrays whose elements iterations share, and the others for
// scop.Room's fields of their names.
const sharingWord, sumsWord, outermostWord = "sharing", "sums", "outermost"

// roomText is the memory with what it is for.
func roomText(room scop.Room) string {
	text := fmt.Sprint(room.Bytes)
	if room.Sums {
		text += " " + sumsWord
	}
	if room.Outermost {
		text += " " + outermostWord
	}
	if len(room.Sharing) > 0 {
		text += " " + sharingWord
	}
	for _, array := range slices.Sorted(maps.Keys(room.Sharing)) {
		text += fmt.Sprint(" ", array, " ", room.Sharing[array])
	}
	return text
}

// parseRoom reads 2000000 sums outermost sharing t_1 2.
func parseRoom(text string) (room scop.Room, err error) {
	words := append(strings.Fields(text), "")
	bytes, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil || bytes < 1 {
		return room, fmt.Errorf("the arrays' memory is a positive number of bytes, not %q", words[0])
	}
	room = scop.Room{Bytes: bytes, Sharing: scop.Sharing{}}
	pairs := words[1 : len(words)-1]
	for word, is := range map[string]*bool{sumsWord: &room.Sums, outermostWord: &room.Outermost} {
		k := slices.Index(pairs, word)
		if *is = k >= 0 && !slices.Contains(pairs[:k], sharingWord); *is {
			pairs = slices.Delete(pairs, k, k+1)
		}
	}
	if len(pairs) == 0 {
		return room, nil
	}
	if pairs[0] != sharingWord || len(pairs)%2 == 0 || len(pairs) < 3 {
		return room, fmt.Errorf("behind the memory may stand %s or %s, and then %s, arrays, and for each the number of loops that share its elements", sumsWord, outermostWord, sharingWord)
	}
	for k := 1; k < len(pairs); k += 2 {
		loops, err := strconv.Atoi(pairs[k+1])
		if err != nil || loops < 1 {
			return room, fmt.Errorf("the number of loops that share elements of %s is positive, not %q", pairs[k], pairs[k+1])
		}
		room.Sharing[pairs[k]] = loops
	}
	return room, nil
}
