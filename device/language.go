package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
)

// Language is a language of devices, as far as it differs from C: a table of words.
type Language struct {
	Name string
	// Kernel is what stands in front of a kernel's name, with its number of threads; Global in
	// front of a pointer to arrays, Shared in front of an array of a block's, Restrict in front of
	// a pointer's name, and Barrier is the statement with which all threads of a block wait.
	Kernel                            func(threads [3]int64) string
	Global, Shared, Restrict, Barrier string
	// Constant stands in front of a pointer to constants; "" where these are copied to an array of
	// the program's.
	Constant string
	// AsksForShared says that launches ask for shared memory that not all devices give a block.
	AsksForShared bool
	// GridBarrier is the statement with which all threads of all blocks wait; "" where they cannot.
	GridBarrier string
	// Thread, Block are the numbers of a thread in its block and of a block in its grid, along a
	// dimension, and Blocks that of the blocks in the grid.
	Thread, Block, Blocks [3]string
	// Own stands in front of a function that kernels call, and Bits are the words for atomic
	// operations on elements of 4 or 8 bytes.
	Own  string
	Bits map[int]Bits
	// Function is the name of a function of math.h.
	Function func(name string) string
}

// Bits are words for atomic operations: the type of integers, the function that puts one in the
// place of another if that is there, and what a program says in front of all to have it.
type Bits struct{ Type, Swap, Needs string }

// CUDA is CUDA C.
var CUDA = Language{
	Name: "cuda",
	Kernel: func(threads [3]int64) string {
		return fmt.Sprintf("template <typename tune_int>\n__global__ void __launch_bounds__(%d)", threads[0]*threads[1]*threads[2])
	},
	Global: "", Shared: "__shared__ ", Restrict: "__restrict__ ", Barrier: "__syncthreads();",
	Thread: [3]string{"threadIdx.x", "threadIdx.y", "threadIdx.z"},
	Block:  [3]string{"blockIdx.x", "blockIdx.y", "blockIdx.z"},
	Blocks: [3]string{"gridDim.x", "gridDim.y", "gridDim.z"},

	AsksForShared: true,

	GridBarrier: "tune_wait_for_grid();",
	Own:         "__device__ ",
	Bits:        map[int]Bits{4: {Type: "unsigned", Swap: "atomicCAS"}, 8: {Type: "unsigned long long", Swap: "atomicCAS"}},
	Function:    func(name string) string { return name },
}

// OpenCL is OpenCL C 1.2.
var OpenCL = Language{
	Name: "opencl",
	Kernel: func(threads [3]int64) string {
		return fmt.Sprintf("__kernel __attribute__((reqd_work_group_size(%d, %d, %d)))\nvoid", threads[0], threads[1], threads[2])
	},
	Constant: "__constant ", Global: "__global ", Shared: "__local ", Restrict: "restrict ", Barrier: "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
	Thread: [3]string{"get_local_id(0)", "get_local_id(1)", "get_local_id(2)"},
	Block:  [3]string{"get_group_id(0)", "get_group_id(1)", "get_group_id(2)"},
	Bits: map[int]Bits{
		4: {Type: "uint", Swap: "atomic_cmpxchg"},
		8: {Type: "ulong", Swap: "atom_cmpxchg", Needs: "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"},
	},
	Function: openCLFunction,
}

// openCLFunction is the name without the f of functions for float: those of OpenCL are for all
// types.
func openCLFunction(name string) string {
	if n := len(name) - 1; name[n] == 'f' && name != "erf" {
		return name[:n]
	}
	return name
}

// reserved are words of the languages that C leaves to its programs.
var reserved = strings.Fields("and and_eq asm bitand bitor bool catch char16_t char32_t class compl const_cast constexpr decltype delete dim3 dynamic_cast explicit export false friend mutable namespace " +
	"new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast static_assert static_cast template this throw true try typeid typename using virtual wchar_t xor xor_eq " +
	"kernel global local constant read_only write_only read_write uniform pipe half quad complex imaginary event_t sampler_t image2d_t image3d_t vec_step uchar ushort uint ulong size_t ptrdiff_t barrier " +
	"blockIdx threadIdx blockDim gridDim warpSize tune_int INFINITY")

// vectorType finds names of vectors of OpenCL and CUDA, such as float4.
var vectorType = pattern.New(`^u?(char|short|int|long|longlong|float|double|half)(1|2|3|4|8|16)$`)

// deviceWord is what a name of C is in kernels.
func deviceWord(name string) string {
	if slices.Contains(reserved, name) || slices.Contains(functions, strings.TrimSuffix(name, "f")) || slices.Contains(functions, name) || vectorType.MatchString(name) {
		return name + "_"
	}
	return name
}
