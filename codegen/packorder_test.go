package codegen_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/transform"
)

var (
	// streamLoop is the header of a loop over the stream of full blocks.
	streamLoop = regexp.MustCompile(`^( *)for \(long (c\d+) = tune_first; c\d+ <= tune_last; c\d+\+\+\) \{$`)
	// packedRead is an element of a buffer, or a vector of them.
	packedRead = regexp.MustCompile(`(?:\*\(tune_[a-z]+(\d+) \*\) &)?(tune_packed\d+)\[([^\]]*)\]`)
)

// Each full block reads its copies as elements behind each other, those of one iteration of the
// stream right behind those of the last one: a copy of any size has equally many lines in each set
// of a cache, so that no leading dimension needs padding. The long test has further products, and
// all with vectors of either length.
func TestPackedInOrder(t *testing.T) {
	names := []string{"gemm", "trmm", "lu"} // a product, a triangle, phases
	if kerneltest.Long() {
		names = append(names, "cholesky", "2mm", "3mm", "syrk", "syr2k", "correlation")
	}
	packed := transform.Options{CacheBytes: 48 << 10, SecondCacheBytes: 1 << 20, ThirdCacheBytes: 32 << 20, Interleave: 1}
	for _, vector := range []transform.VectorUnit{{Bits: 512, Registers: 32}, {Bits: 256, Registers: 16}} {
		packed.Vector = vector
		for k, name := range names {
			if !kerneltest.Long() && (k%2 == 0) != (vector.Bits == 512) {
				continue
			}
			t.Run(fmt.Sprint(name, vector.Bits), func(t *testing.T) {
				t.Parallel()
				b, err := benchmarks.Find("polybench/" + name)
				if err != nil {
					t.Fatal(err)
				}
				k := builtinOf(t, b)
				checkPackedInOrder(t, k.code(t, k.recipe(t, k.partitions(t, "smart")[0], packed)))
			})
		}
	}
}

// checkPackedInOrder fails for a loop over the stream that does not read all of a buffer in order,
// and for code without any such loop.
func checkPackedInOrder(t *testing.T, code string) {
	t.Helper()
	lines := strings.Split(code, "\n")
	reads := 0
	for n, line := range lines {
		header := streamLoop.FindStringSubmatch(line)
		if header == nil {
			continue
		}
		end := n + slices.Index(lines[n:], header[1]+"}")
		for buffer, elements := range elementsRead(t, strings.Join(lines[n:end], "\n"), header[2]) {
			reads++
			if first, last := elements.places[0], elements.places[len(elements.places)-1]; last-first+1 != elements.step || int64(len(elements.places)) != elements.step {
				t.Errorf("%s moves by %d elements in each iteration of %s, which reads those at %v", buffer, elements.step, header[2], elements.places)
			}
		}
	}
	if reads == 0 {
		t.Errorf("no stream reads a buffer in\n%s", code)
	}
}

// elements are those of a buffer that one iteration reads, in order, and by how many they move from
// one to the next.
type elements struct {
	places []int64
	step   int64
}

// elementsRead are the elements of each buffer that the body of a loop reads; requests for later
// ones do not count.
func elementsRead(t *testing.T, body, variable string) map[string]*elements {
	t.Helper()
	read := map[string]*elements{}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.Contains(line, "__builtin_prefetch") {
			continue
		}
		for _, match := range packedRead.FindAllStringSubmatch(line, -1) {
			lanes, _ := strconv.ParseInt("0"+match[1], 10, 64)
			step, place := stepOf(t, match[3], variable)
			e := read[match[2]]
			if e == nil {
				e = &elements{step: step}
				read[match[2]] = e
			}
			if e.step != step {
				t.Errorf("%s moves by %d and by %d elements", match[2], e.step, step)
			}
			for lane := range max(1, lanes) {
				e.places = append(e.places, place+lane)
			}
		}
	}
	for _, e := range read {
		slices.Sort(e.places)
		e.places = slices.Compact(e.places)
	}
	return read
}

// stepOf is a variable's factor in a subscript, and its constant.
func stepOf(t *testing.T, subscript, variable string) (step, constant int64) {
	t.Helper()
	sign := int64(1)
	for term := range strings.FieldsFuncSeq(strings.NewReplacer(" + ", "|+|", " - ", "|-|").Replace(subscript), func(r rune) bool { return r == '|' }) {
		factor, name, isProduct := strings.Cut(term, " * ")
		value, err := strconv.ParseInt(factor, 10, 64)
		switch {
		case term == "+":
			sign = 1
		case term == "-":
			sign = -1
		case term == variable:
			step += sign
		case isProduct && name == variable && err == nil:
			step += sign * value
		case !isProduct && err == nil:
			constant += sign * value
		}
	}
	return step, constant
}
