package listing

import (
	"strconv"
	"strings"

	"polytune/internal/pattern"
	"polytune/report/live"
)

// place is where the variant is in a file: the lines of its code, and the function around it, in which
// loops without a line of it count, too.
type place struct {
	file, function string
	first, last    int
}

// instruction is one of a function.
type instruction struct {
	live.Instruction
	address uint64
	// target is where a jump goes; 0 for others.
	target uint64
	// work is how many floating-point operations it does, 0 for others.
	work int
}

var (
	functionLine    = pattern.New(`^[0-9a-f]+ <([^>]+)>:$`)
	instructionLine = pattern.New(`^\s+([0-9a-f]+):\s+(.*\S)\s*$`)
	sourceLine      = pattern.New(`^(\S.*):(\d+)(?: \(discriminator \d+\))?$`)
	jump            = pattern.New(`^(?:j[a-z]+|b(?:\.[a-z]+)?|cbn?z\s+\w+,|tbn?z\s+.*,)\s+(?:0x)?([0-9a-f]+)\b`)
	// floating are instructions of x86 and of ARM that compute with floating-point numbers.
	floating = pattern.New(`^v?(?:add|sub|mul|div|fn?m(?:add|sub)[0-9]*|sqrt|max|min)(p|s)[sd]\b|^f(?:add|sub|mul|div|madd|msub|mla|mls|sqrt)\b`)
)

// parse reads what objdump -d -l prints: the instructions of the function and of those that the
// compiler has made of its parallel loops.
func parse(listing string, at place) []instruction {
	var list []instruction
	inside, line := false, 0
	for text := range strings.Lines(listing) {
		text = strings.TrimRight(text, "\n")
		if m := functionLine.FindStringSubmatch(text); m != nil {
			inside, line = m[1] == at.function || strings.HasPrefix(m[1], at.function+"."), 0
			continue
		}
		if !inside {
			continue
		}
		if m := instructionLine.FindStringSubmatch(text); m != nil {
			list = append(list, instructionOf(m[1], m[2], line))
			continue
		}
		if m := sourceLine.FindStringSubmatch(text); m != nil {
			line = 0
			if n, err := strconv.Atoi(m[2]); err == nil && m[1] == at.file && at.first <= n && n <= at.last {
				line = n - at.first + 1
			}
		}
	}
	return list
}

func instructionOf(address, text string, line int) instruction {
	text, _, _ = strings.Cut(text, "#")
	text = strings.TrimSpace(strings.ReplaceAll(text, "\t", " "))
	i := instruction{Instruction: live.Instruction{Address: address, Text: text, Line: line}}
	i.address, _ = strconv.ParseUint(address, 16, 64)
	if m := jump.FindStringSubmatch(text); m != nil {
		i.target, _ = strconv.ParseUint(m[1], 16, 64)
	}
	if m := floating.FindStringSubmatch(text); m != nil {
		i.work = 1
		if m[1] != "s" {
			i.work = lanes(text)
		}
		if strings.Contains(text, "fm") {
			i.work *= 2
		}
	}
	return i
}

// lanes is about how many numbers a vector instruction works on, as if all were doubles.
func lanes(text string) int {
	switch {
	case strings.Contains(text, "zmm"):
		return 8
	case strings.Contains(text, "ymm"):
		return 4
	case strings.Contains(text, "xmm"), strings.Contains(text, "v"):
		return 2
	}
	return 1
}

// hottest is the loop without loops inside that does the most floating-point operations, or, where
// none does any, the longest; nil where there is no loop. Loops are backward jumps. Nobody has counted
// how often it runs.
func hottest(list []instruction) []live.Instruction {
	index := map[uint64]int{}
	for i, in := range list {
		index[in.address] = i
	}
	var loops [][2]int
	for i, in := range list {
		if first, known := index[in.target]; in.target != 0 && known && first < i {
			loops = append(loops, [2]int{first, i})
		}
	}
	best, most := [2]int{-1, -1}, -1
	for k, loop := range loops {
		if hasInside(loops, k) {
			continue
		}
		work := 0
		for _, in := range list[loop[0] : loop[1]+1] {
			work += in.work
		}
		if work > most || work == most && loop[1]-loop[0] > best[1]-best[0] {
			best, most = loop, work
		}
	}
	if most < 0 {
		return nil
	}
	var found []live.Instruction
	for _, in := range list[best[0] : best[1]+1] {
		found = append(found, in.Instruction)
	}
	return found
}

// hasInside says whether another loop is within the k-th one.
func hasInside(loops [][2]int, k int) bool {
	for other, loop := range loops {
		if other != k && loops[k][0] <= loop[0] && loop[1] <= loops[k][1] && loop != loops[k] {
			return true
		}
	}
	return false
}
