package runner

import (
	"bufio"
	"io/fs"
	"strconv"
	"strings"
)

// Vector is what a program can keep in vector registers: what limits register
// tiles and says how many elements a vector instruction takes.
type Vector struct {
	// Set is the name of the instruction set, such as "AVX2"; "" for none.
	Set string `json:"set"`
	// Bits is the width of one register; for sets of no fixed width, such as
	// SVE, the width that programs get here. 0 for no vectors.
	Bits int `json:"bits"`
	// Registers is the number of registers of that width.
	Registers int `json:"registers"`
	// Fused says that a product and a sum are one instruction.
	Fused bool `json:"fused"`
}

// Lanes is the number of elements of so many bytes in one register, at least 1.
func (v Vector) Lanes(bytes int) int {
	if bytes <= 0 {
		return 1
	}
	return max(1, v.Bits/(8*bytes))
}

// VectorOf is what programs of the toolchain can use on the machine: what the
// compiler says its flags select or, where it does not tell, what the
// processor has.
func VectorOf(m Machine, t Toolchain) Vector {
	switch {
	case t.Vector == nil:
		return m.Vector
	case t.Vector.Bits == 0 && t.Vector.Set == m.Vector.Set:
		return m.Vector
	}
	return *t.Vector
}

// SeenBy is the machine with the vectors that programs of the toolchain can use.
func (m Machine) SeenBy(t Toolchain) Machine {
	m.Vector = VectorOf(m, t)
	return m
}

// vectorSet is an instruction set and the words by which it is known.
type vectorSet struct {
	Vector
	// macro is what compilers predefine, flag what /proc/cpuinfo lists.
	macro, flag string
	// fusedMacro and fusedFlag tell the same of fused operations; "" where all
	// that have the set have them.
	fusedMacro, fusedFlag string
}

// vectorSets are the known sets; of several that a processor has, the first is
// meant. Numbers of registers are those of the manuals (Intel SDM volume 1,
// section 15.1; Arm ARM, section A1.4; Power ISA, section 7.2).
var vectorSets = []vectorSet{
	{Vector{"AVX-512", 512, 32, true}, "__AVX512F__", "avx512f", "", ""},
	{Vector{"AVX2", 256, 16, false}, "__AVX2__", "avx2", "__FMA__", "fma"},
	{Vector{"AVX", 256, 16, false}, "__AVX__", "avx", "__FMA__", "fma"},
	{Vector{"SSE2", 128, 16, false}, "__SSE2__", "sse2", "__FMA__", "fma"},
	{Vector{"SVE", 0, 32, true}, "__ARM_FEATURE_SVE", "sve", "", ""},
	{Vector{"NEON", 128, 32, true}, "__ARM_NEON", "asimd", "", ""},
	{Vector{"VSX", 128, 64, true}, "__VSX__", "vsx", "", ""},
}

// narrowRegisters is the number of vector registers of 32-bit x86.
const narrowRegisters = 8

// vectorOfMacros reads what a compiler predefines, lines of #define.
func vectorOfMacros(text string) Vector {
	macros := map[string]string{}
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == "#define" {
			macros[fields[1]] = strings.Join(fields[2:], " ")
		}
	}
	has := func(name string) bool { _, known := macros[name]; return known }
	for _, set := range vectorSets {
		if !has(set.macro) {
			continue
		}
		v := set.Vector
		v.Fused = v.Fused || has(set.fusedMacro)
		if v.Bits == 0 {
			v.Bits, _ = strconv.Atoi(macros["__ARM_FEATURE_SVE_BITS"])
		}
		if has("__i386__") {
			v.Registers = narrowRegisters
		}
		return v
	}
	return Vector{}
}

// readVector finds what the processor has: the words of "flags" (x86) and
// "Features" (ARM) in /proc/cpuinfo, and the width of SVE that the kernel gives
// programs.
func readVector(root fs.FS) Vector {
	flags := processorFlags(root)
	for _, set := range vectorSets {
		if !flags[set.flag] {
			continue
		}
		v := set.Vector
		v.Fused = v.Fused || flags[set.fusedFlag]
		if v.Bits == 0 {
			bytes, err := strconv.Atoi(readText(root, "proc/sys/abi/sve_default_vector_length"))
			if err != nil || bytes <= 0 {
				continue
			}
			v.Bits = 8 * bytes
		}
		if set.fusedFlag != "" && !flags["lm"] {
			v.Registers = narrowRegisters
		}
		return v
	}
	return Vector{}
}

// processorFlags are the features of the first processor that lists some.
func processorFlags(root fs.FS) map[string]bool {
	lines := bufio.NewScanner(strings.NewReader(readText(root, "proc/cpuinfo")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ":")
		switch strings.TrimSpace(key) {
		case "flags", "Features":
			flags := map[string]bool{}
			for word := range strings.FieldsSeq(value) {
				flags[word] = true
			}
			return flags
		}
	}
	return nil
}
