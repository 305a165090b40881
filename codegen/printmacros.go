package codegen

import (
	"fmt"
	"strings"

	"polytune/loopir"
)

// elementSizes are the sizes of elements of vectors, in bytes, by their C types.
var elementSizes = map[string]int64{"double": 8, "float": 4}

// streamingStores are, by the size of a vector in bytes, what GCC's name for the streaming
// store of it on x86 ends in, and the macro that says that there is one.
var streamingStores = map[int64]struct{ defined, end string }{
	16: {"__SSE2__", ""},
	32: {"__AVX__", "256"},
	64: {"__AVX512F__", "512"},
}

// builtinLetters are, in these names, those for elements of a C type.
var builtinLetters = map[string]string{"double": "d", "float": "s"}

// streamMacro is the name of a macro that stores a vector of so many elements past the caches, at
// an address that is a multiple of its size; where a compiler has nothing for that, like any other.
func (p *printer) streamMacro(v loopir.Vector) string {
	element, lanes, vector := v.Element, v.Lanes, p.vectorType(v)
	bytes := lanes * elementSizes[element]
	return p.macro("stream "+vector, fmt.Sprintf("tune_stream_%s%d", element, lanes), func(name string) []string {
		aligned := p.fresh(vector + "_aligned")
		p.typedefs = append(p.typedefs, fmt.Sprintf("typedef %s %s __attribute__((vector_size(%d), may_alias));", element, aligned, bytes))
		store, at := streamingStores[bytes], "("+aligned+" *) (p)"
		return []string{
			"#if defined(__clang__)",
			fmt.Sprintf("#define %s(p, v) __builtin_nontemporal_store((%s) (v), %s)", name, aligned, at),
			"#elif defined(" + store.defined + ")",
			fmt.Sprintf("#define %s(p, v) __builtin_ia32_movntp%s%s((%s *) %s, v)", name, builtinLetters[element], store.end, element, at),
			"#else",
			fmt.Sprintf("#define %s(p, v) (*%s = (v))", name, at),
			"#endif",
		}
	})
}

// fence is the name of a macro behind which all threads see what was stored past the caches in
// front of it.
func (p *printer) fence() string {
	return p.macro("fence", "tune_fence", func(name string) []string {
		return []string{
			"#if defined(__SSE__)",
			"#define " + name + " __builtin_ia32_sfence",
			"#else",
			"#define " + name + " __sync_synchronize",
			"#endif",
		}
	})
}

// swapMacro is the name of a macro that swaps, between two vectors whose numbers in a square differ
// by a distance, the elements on the wrong side of its diagonal: in the end, for all powers of two,
// the square is transposed.
func (p *printer) swapMacro(v loopir.Vector, distance int) string {
	lanes, vector := int(v.Lanes), p.vectorType(v)
	key := fmt.Sprintf("swap %s %d", vector, distance)
	return p.macro(key, fmt.Sprintf("tune_swap%d_%s", distance, strings.TrimPrefix(vector, "tune_")), func(name string) []string {
		var low, high []string
		for lane := range lanes {
			if lane&distance == 0 {
				low, high = append(low, fmt.Sprint(lane)), append(high, fmt.Sprint(lane+distance))
			} else {
				low, high = append(low, fmt.Sprint(lanes+lane-distance)), append(high, fmt.Sprint(lanes+lane))
			}
		}
		mix, lowest := p.mixMacro(v), p.fresh("tune_low")
		return []string{fmt.Sprintf("#define %[1]s(a, b) { const %[2]s %[3]s = %[4]s(a, b, %[5]s); b = %[4]s(a, b, %[6]s); a = %[3]s; }",
			name, vector, lowest, mix, strings.Join(low, ", "), strings.Join(high, ", "))}
	})
}

// mixMacro is the name of a macro for a vector of elements of two others, by their numbers.
func (p *printer) mixMacro(v loopir.Vector) string {
	vector := p.vectorType(v)
	return p.macro("mix "+vector, "tune_mix_"+strings.TrimPrefix(vector, "tune_"), func(name string) []string {
		// The type has no name, of which clang would say that nothing uses it.
		numbers := fmt.Sprintf("%s __attribute__((vector_size(%d)))", map[string]string{"float": "int", "double": "long long"}[v.Element], v.Lanes*elementSizes[v.Element])
		return []string{
			"#if defined(__clang__)",
			"#define " + name + "(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)",
			"#else",
			"#define " + name + "(a, b, ...) __builtin_shuffle(a, b, (" + numbers + "){__VA_ARGS__})",
			"#endif",
		}
	})
}

// thread is the number of the present thread in C.
func (p *printer) thread() string {
	return p.macro("tune_thread", "tune_thread", func(name string) []string {
		return []string{"#ifdef _OPENMP", "#define " + name + " (unsigned long) omp_get_thread_num()", "#else", "#define " + name + " 0ul", "#endif"}
	})
}

// await is the name of a macro that waits until a number which another thread counts up has reached
// another one, and leaves the processor to others when that takes long.
func (p *printer) await() string {
	return p.macro("await", "tune_await", func(name string) []string {
		tries := p.fresh("tune_tries")
		wait := fmt.Sprintf("#define %s(reached, count) for (long %[2]s = 0; __atomic_load_n(&(reached), __ATOMIC_ACQUIRE) < (count); %[2]s++)", name, tries)
		return []string{
			"#if defined(__unix__) || defined(__APPLE__)",
			wait + fmt.Sprintf(" if (%s %% 1024 == 1023) { extern int sched_yield(void); sched_yield(); }", tries),
			"#else",
			wait + " {}",
			"#endif",
		}
	})
}
