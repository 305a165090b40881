package facts

// This file has numbers of the models that no program says: their unit, and where they are from. A
// number is measured, with the program, the machine and the day, or guessed. TestNumbers reads it.

// MinimumExpanded is the number of loops from which on an expanded array is contracted: with one
// alone it is as large as a row.
// Unit: loops; guessed.
const MinimumExpanded = 2

// ContractedLanes bounds the iterations of a tile where nobody knows how much memory one of them
// takes, and ContractedShare is the part of the third cache that the array may take: what it leaves
// is for the operand that threads share and for what streams past. symm, 1000 x 1200, whose array
// has 9.6 MB, took 0.85 of the time in the median with tiles of 600 columns on an AMD EPYC (Zen 3),
// gcc 12, one thread.
// Unit: iterations; guessed.
const ContractedLanes, ContractedShare = 512, 4

// LeastSharedOut is the number of iterations from which on a thread takes a tile for itself: it
// copies all of an operand for these alone.
// Unit: iterations; guessed.
const LeastSharedOut = 256

// What an instance's overhead counts, in accesses: a comparison with its branch, and a
// division or remainder by a constant, whose few multiplications, shifts and sums are not
// shared by lanes. The weights are chosen, not measured: red-black Gauss-Seidel with both
// colours innermost has 7 of the first and 10 of the others for 8 accesses, which is 3.1 times
// the source's order by this estimate; measured it was 5 to 14 times (virtual AMD EPYC, gcc 12).
// Unit: accesses; guessed.
const CostOfCondition, CostOfQuotient = 1, 1

// Clearly is how much more than another one a schedule has to be estimated to take before it
// is doubted: the estimate knows nothing of caches.
// Unit: ratio of times; guessed.
const Clearly = 1.1

// InterleavedRows is the number of chains by the model. seidel-2d (PolyBench,
// N 2000, 50 steps, AMD EPYC (Zen 3), gcc 12, one thread) takes 1.98 s as it is written, and
// 0.67 with four rows beside each other, 0.46 with six, 0.37 to 0.42 with eight, and
// 0.39 with twelve: a chain of five additions and a division has the latency of eight.
// Unit: iterations beside each other; measured: seidel-2d, AMD EPYC (Zen 3), 2026-11-22.
const InterleavedRows = 8

// MostInterleaved bounds the instances of all statements that run beside each other.
// Unit: instances beside each other; guessed.
const MostInterleaved = 16

// MostSkew bounds the multiples that are tried.
// Unit: multiples of a loop; guessed.
const MostSkew = 2

// PanelBytes is the length of a panel's row: some cache lines, so that vectors of one row are sums
// and updates beside each other in registers. gramschmidt of 1200 x 1000 doubles took 0.45 of the
// time with panels of 32 columns, and about 0.7 with 64 (Intel Xeon with AVX-512, gcc 12, one
// thread).
// Unit: bytes; measured: gramschmidt, Intel Xeon with AVX-512, 2026-11-22.
const PanelBytes = 256

const (
	// SweptRows is the number of rows of a block for which each statement has a
	// sum: as many chains as hide the latency of an addition.
	// Unit: rows; measured: sums of rows of 1900 x 2100 doubles, AMD EPYC (Zen 3), 2026-11-22.
	SweptRows = 8
	// LaneRows is that number where rows are in lanes, and for sums of rows: two vectors of sums
	// with AVX-512, four with AVX2, are as many chains, of which one leaves a third of what the
	// memory gives unused. With 16 rows instead of 8 mvt takes 0.87 of the time on two threads of
	// an AMD Zen 5 (gcc 12, 6000 x 6000 doubles; 0.9 in AVX2's code), trisolv 0.87 and gemver 0.91
	// on one (LARGE).
	// Unit: rows; measured: mvt, trisolv and gemver, AMD Zen 5, 2026-11-24.
	LaneRows = 16
	// SweptVectors is the number of vectors of a block along its rows.
	// Unit: vectors; guessed.
	SweptVectors = 2
	// MinimumSwept is the number of accesses of a sweep below which one thread is
	// as fast: blocks keep most of them in registers and first caches.
	// Unit: accesses; guessed.
	MinimumSwept = 8 * MinimumAccesses
)

// TransposedRows is how many iterations a tile has along loops other than the inner one.
// Unit: iterations; measured: transpositions of 2000 and 2048 doubles a row, virtual AMD Zen 5,
// 2026-11-24.
const TransposedRows = 64

// ShortLoop is the least number of iterations from which on loops are vector loops.
// Unit: iterations; guessed.
const ShortLoop = 8

// GainApart is how much faster statements have to be apart that could use in two loops what is in a
// cache.
// Unit: ratio of times; guessed.
const GainApart = 2

// LanesOfVectors is the number of lanes that counts for vector loops, LanesOfBlocks that for
// register blocks. Waves begin and end with fewer tiles than there are threads: they count as half
// of these.
// Unit: lanes; guessed.
const LanesOfVectors, LanesOfBlocks = 4, 2 * LanesOfVectors

// CostOfRolled is how many times as long a statement takes whose tiny loops compilers cannot
// unroll, because they are skewed along long ones; neither can blocks or vectors of these be full.
// The assembly of a matrix of finite elements, two by two loops of two iterations, takes 40 ms so
// on one thread of an AMD EPYC, and 13.5 as it is written.
// Unit: ratio of times; measured: assembly of a matrix of finite elements, AMD EPYC, 2026-11-24.
const CostOfRolled = 3

// CostOfLine is what an access counts that goes to another line of the cache in each iteration of
// the innermost loop.
// Unit: accesses; guessed.
const CostOfLine = 4

// What is too little to be worth a loop of its own, where constants in the
// program bound it. Loops whose length depends on a parameter are long.
const (
	// MinimumWork is the number of instances of statements whose work nobody knows,
	// between two barriers, below which one thread is as fast: a barrier of OpenMP
	// takes a few microseconds, an instance about a nanosecond.
	// Unit: instances; guessed.
	MinimumWork = 4000
	// MinimumAccesses is the number of consecutive accesses in a loop without others inside
	// below which one thread is as fast: where the loop is in a cache, an access
	// takes a tenth of a nanosecond in vector code. Measured on an AMD EPYC (Zen 3), y[i] +=
	// a * x[i] on two threads was as fast as on one from 24000 accesses on (2.4
	// microseconds), 1.3 times as fast at 96000, and 1.8 times at 192000; idle
	// threads were waiting busily there, others take longer to start.
	// Unit: accesses; measured: y[i] += a * x[i], AMD EPYC (Zen 3), 2026-11-22.
	MinimumAccesses = 1 << 16
)

// LeastBatch is the number of iterations from which on a loop is one of a batch: several for each
// of many threads.
// Unit: iterations; guessed.
const LeastBatch = 64

// SharedPerBeside is the number of statements that threads share out which are worth as much as one
// in lanes: there may be two threads only, where a vector has four lanes and more.
// Unit: statements; guessed.
const SharedPerBeside = 4

const (
	// MostBesideSum is the largest number of accesses of a statement that runs beside a sum: two
	// for each cycle of an addition.
	// Unit: accesses; guessed.
	MostBesideSum = 8
	// MostUnfed is the largest number of elements that a sum adds up in one iteration of the loops
	// outside and that the other statement does not write: they have a loop of their own.
	// Unit: elements; guessed.
	MostUnfed = 8
)

// grain is the number of accesses below which one thread is as fast in a nest whose loops the
// parameters bound.
// Unit: accesses; guessed.
const Grain = 1 << 17

// nearby is the largest coefficient of an access's last subscript along a loop
// with which Pluto takes its elements to be near.
// Unit: multiples of an iterator; given: Pluto 0.12.
const Nearby = 4

// MostRandom bounds how many partitions are drawn.
// Unit: partitions; guessed.
const MostRandom = 2000

// LoopsOfGrid is how many loops of a nest a grid shares.
// Unit: loops; guessed.
const LoopsOfGrid = 2

const (
	// ModelRanks and ModelSize are the number of ranks and the value of each parameter at which the
	// model counts messages: they rank choices, and what is sent grows alike.
	// Unit: ranks, and iterations; guessed.
	ModelRanks, ModelSize = 4, 24
	// MessageBytes is what a message costs as bytes: some microseconds at some gigabytes a second.
	// Unit: bytes; guessed.
	MessageBytes = 8 << 10
	// RankOperations bounds isl's work for what one choice sends.
	// Unit: operations of isl; guessed.
	RankOperations = 2_000_000
	// MostRankChoices bounds the choices that are counted.
	// Unit: choices; guessed.
	MostRankChoices = 3
)

// WayBytes is the size of a way of first caches: a page, in which addresses are the same for
// programs and memory.
// Unit: bytes; given: x86's pages and lines.
const WayBytes, LineBytes = 4096, 64

// LeastCache is the size of a cache that is taken where nobody knows one.
// Unit: bytes; guessed.
const LeastCache = 32 << 10

// What the model asks of a loop whose stores pass by the caches.
//
// Measured on an AMD EPYC (Zen 3: 32 MiB), gcc 12, one thread, processor time, least of 12: the
// mean of two matrices of floats, 130 to 350 MB in all. Rows of 216 floats take 2.0 times as long
// as with plain stores, of 540 and 1080 as long and 0.89, of 1600, 2160 and 4320 0.82, 0.83 and
// 0.78: the ends of a row are parts of lines, and behind each row is a fence. A matrix of 6400 x
// 6400 doubles is set to zero in 0.45 of the time and scaled in 0.78; a stencil that reads five
// elements of another one takes 1.07, and in place 1.44.
const (
	// StreamedBytes is the least length of a row.
	// Unit: bytes; measured: mean of two matrices of floats, AMD EPYC (Zen 3), 2026-11-22.
	StreamedBytes = 4096
	// StreamedReads is the most references to elements that a statement reads along the row.
	// Unit: references; measured: stencil of five elements, AMD EPYC (Zen 3), 2026-11-22.
	StreamedReads = 2
	// StreamedFrom is how many times as large as the last cache the data of a nest are at least.
	// Unit: ratio of bytes; guessed.
	StreamedFrom = 2
)

// MostShort is the largest number of iterations of a short loop where no loop of a class is longer
// than a tiny nest, as in fields of 48 x 48 x 64 points.
// Unit: iterations; guessed.
const MostShort = 16

// MinimumThreads is the number of iterations that a parallel loop should have, and MinimumLanes
// that of a vector loop: the doubles of an AVX register.
// Unit: iterations; guessed.
const MinimumThreads, MinimumLanes = 4, 4

// FarApart is the stride given to accesses whose next element is in another
// row of the array, or anywhere.
// Unit: elements; guessed.
const FarApart = 1 << 20

// MostTiny is the largest number of iterations of a tiny nest.
// Unit: iterations; guessed.
const MostTiny = 64

// ElementsOfLine is the number of doubles in a line of a cache: what an access
// to an element far from the last one costs.
// Unit: doubles; given: lines of 64 bytes.
const ElementsOfLine = 8

// FewSets is a distance of rows whose multiples lie in few sets of a first-level cache: those of
// today have 64 sets of lines of LineBytes, of which rows at such a distance share two.
// Unit: bytes; given: the caches of processors of today.
const FewSets = 2048
