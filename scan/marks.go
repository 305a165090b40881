package scan

import (
	"bytes"
	"regexp"
	"slices"
	"sort"
	"strings"

	"polytune/frontend"
)

// insertions are in the order of their places.
type insertions []Insertion

// into is a text with all of them.
func (list insertions) into(source []byte) []byte {
	var out bytes.Buffer
	done := 0
	for _, i := range list {
		out.Write(source[done:i.At])
		out.WriteString(i.Text)
		done = i.At
	}
	out.Write(source[done:])
	return out.Bytes()
}

// before is the place in the text without insertions of a place in the one with them.
func (list insertions) before(offset int) int {
	shift := 0
	for _, i := range list {
		if offset < i.At+shift {
			break
		}
		if offset < i.At+shift+len(i.Text) {
			return i.At
		}
		shift += len(i.Text)
	}
	return offset - shift
}

// frame is the place of a loop's text, with the pragmas in front of it.
type frame struct {
	// start and end are where something can be put around it, and indent is what its first line
	// begins with.
	start, end int
	indent     string
	// isOwnStart and isOwnEnd say that these are places between lines.
	isOwnStart, isOwnEnd bool
}

// frameOf is the frame of the loops from first to last.
func frameOf(source []byte, first, last *frontend.Loop) frame {
	f := frame{start: first.Start, end: last.End}
	line := bytes.LastIndexByte(source[:first.Start], '\n') + 1
	if front := source[line:first.Start]; len(bytes.TrimLeft(front, " \t")) == 0 {
		f.indent, f.isOwnStart, f.start = string(front), true, abovePragmas(source, line)
	}
	rest := source[last.End:]
	next := bytes.IndexByte(rest, '\n') + 1
	if next == 0 {
		next = len(rest)
	}
	comment := bytes.LastIndex(rest[:next], []byte("/*"))
	if frontend.IsBlank(rest[:next]) && (comment < 0 || bytes.Contains(rest[comment:next], []byte("*/"))) {
		f.end, f.isOwnEnd = last.End+next, true
	}
	return f
}

// abovePragmas is the start of the first of the lines in front of one that are pragmas, such as
// those of OpenMP, which belong to the loop.
func abovePragmas(source []byte, line int) int {
	for line > 0 {
		before := bytes.LastIndexByte(source[:line-1], '\n') + 1
		words := strings.Fields(strings.Replace(string(source[before:line]), "#", "# ", 1))
		if len(words) < 3 || words[0] != "#" || words[1] != "pragma" || words[2] == "scop" || words[2] == "endscop" || words[len(words)-1] == `\` {
			return line
		}
		line = before
	}
	return line
}

// group are loops that come one after the other, in one region.
type group []*Nest

// pragmas are the insertions that make a region of each group.
func (f *File) pragmas(groups []group) (list insertions) {
	newline := "\n"
	if bytes.Contains(f.source, []byte("\r\n")) {
		newline = "\r\n"
	}
	for _, g := range groups {
		at := frameOf(f.source, g[0].loop, g[len(g)-1].loop)
		begin, end := at.indent+"#pragma scop"+newline, at.indent+"#pragma endscop"+newline
		if g[0].loop.IsBody {
			begin, end = at.indent+"{"+newline+begin, end+at.indent+"}"+newline
		}
		if !at.isOwnStart {
			begin = newline + begin
		}
		if !at.isOwnEnd || at.end == len(f.source) && !bytes.HasSuffix(f.source, []byte("\n")) {
			end = newline + end
		}
		list = append(list, Insertion{at.start, begin}, Insertion{at.end, end})
	}
	return list
}

// trivial is a function whose region is always modelled: a file of which nothing else is has
// regions all the same.
const trivial = "\nstatic void tune_scan_nothing(int *tune_scan_array)\n{\n#pragma scop\n" +
	"    for (int tune_scan_i = 0; tune_scan_i < 1; tune_scan_i++)\n        tune_scan_array[tune_scan_i] = 0;\n#pragma endscop\n}\n"

// placed says a message about a text with insertions of the text without them.
func (f *File) placed(message string, list insertions) string {
	marked := list.into(f.source)
	place := regexp.MustCompile(regexp.QuoteMeta(f.Path) + `:\d+:\d+`)
	return place.ReplaceAllStringFunc(message, func(text string) string {
		p := frontend.Position{File: f.Path}
		for k, word := range strings.Split(strings.TrimPrefix(text, f.Path+":"), ":") {
			n := 0
			for _, digit := range word {
				n = 10*n + int(digit-'0')
			}
			if k == 0 {
				p.Line = n
			} else {
				p.Column = n
			}
		}
		return f.position(list.before(p.OffsetIn(marked))).String()
	})
}

// position is a place in the file.
func (f *File) position(offset int) frontend.Position {
	before := f.source[:min(offset, len(f.source))]
	return frontend.Position{File: f.Path, Line: 1 + bytes.Count(before, []byte("\n")), Column: len(before) - bytes.LastIndexByte(before, '\n')}
}

// numbered are the numbers that groups have among all regions of the marked text.
func (f *File) numbered(groups []group) []int {
	starts := make([]int, len(groups))
	for k, g := range groups {
		starts[k] = g[0].loop.Start
	}
	numbers := make([]int, len(groups))
	for k, start := range starts {
		numbers[k] = k + sort.Search(len(f.regions), func(i int) bool { return f.regions[i][0] > start })
	}
	return numbers
}

// inOrder sorts nests by their places.
func inOrder(list []*Nest) {
	slices.SortFunc(list, func(a, b *Nest) int { return a.loop.Start - b.loop.Start })
}
