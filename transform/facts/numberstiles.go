package facts

// This file has the numbers about tiles, blocks and strips, as numbers.go has the others.

const (
	// LeastStream is how long a tile is along the stream at least: rows of several vectors
	// come from the second cache fast enough, and a row of 3 vectors of 512 bits was fastest with
	// 240 to 400 on an AMD Zen 5.
	// Unit: iterations; measured: register blocks of 8 x 3 vectors, AMD Zen 5, 2026-11-22.
	LeastStream = 240
	// MostRows bounds the rows of a tile, and UnevenRows those of tiles whose work differs
	// or whose number nobody knows: there are to be tiles for all threads, and the last ones are to
	// end together.
	// On an AMD Zen 3, where the lanes' operand comes from the third cache, gemm took as
	// long on one thread with 24 to 96 rows.
	// Unit: iterations; measured: gemm, AMD Zen 3, 2026-11-22.
	MostRows, UnevenRows = 108, 36
	// MostOwnRows bounds the rows of tiles that threads do not share out: each tile packs the
	// lanes' operand again, which a large one makes up for. On one thread of an Intel Xeon with a
	// second cache of 1 MiB trmm was 1.13 times as fast with 256 rows as with 104; on one of an AMD
	// Zen 5 with as large a one, with code for one thread, gemm takes 0.92 of the time with 256
	// rows instead of 72, and syrk 0.80 instead of 32.
	// Unit: iterations; measured: trmm, gemm and syrk, Intel Xeon and AMD Zen 5, 2026-11-22.
	MostOwnRows = 256
	// PerTile is what a tile takes besides its rows, which read the lanes' operand from a far
	// cache, as a number of rows.
	// Unit: iterations; guessed.
	PerTile = 4
	// MostLanes bounds the tile along the lanes, and LanesWithoutCache is its length where there is
	// no third cache. Where threads share out these tiles it is SharedLanes at most, and
	// UnevenLanes where the tiles' number is not known: each thread packs the rows' operand again
	// for each of them.
	// Unit: iterations; guessed.
	MostLanes, LanesWithoutCache, SharedLanes, UnevenLanes = 4096, 1024, 1024, 128
	// RowsOfWaves and StreamOfWaves bound tiles in wavefronts, of which several are to run at the
	// same time, while blocks read their operands again in each tile: lu of 2000 rows took 0.8 of
	// the time that tiles of 96 in all directions need, and cholesky 0.9, on one thread of an AMD
	// Zen 3.
	// Unit: iterations; measured: lu and cholesky, AMD Zen 3, 2026-11-22.
	RowsOfWaves, StreamOfWaves = 144, 192
)

// ColumnTile is the largest number of columns of a tile, and ColumnBlock a divisor of it: a line of
// floats.
// Unit: iterations; guessed.
const ColumnTile, ColumnBlock = 1024, 16

// What the model takes for rows beside each other.
//
// Measured on an AMD EPYC (Zen 5, AVX-512), gcc 12 and clang 19, two threads, PolyBench LARGE,
// seconds with 1, 2 and 4 rows: jacobi-2d 0.225, 0.210 and 0.205 (gcc), 0.225, 0.197 and 0.185
// (clang); heat-3d 0.48, 0.39 and 0.37, 0.46, 0.37 and 0.39. Where the sets of the first cache have
// no lines for many rows (sets.go), few take 0.55 of the time (AMD Zen 4, jacobi-2d with 1024 x
// 1024 and 2048 x 2048 elements).
const (
	// FewRows and ManyRows are the numbers of rows.
	// Unit: rows; measured: jacobi-2d and heat-3d, AMD EPYC (Zen 5), 2026-11-23.
	FewRows, ManyRows = 2, 4
	// MostPointers is the largest number of rows, read and written, for which pointers fit in the
	// processor's registers.
	// Unit: pointers; guessed.
	MostPointers = 18
)

// SpareOfPair are the registers that a pair needs beside those of sums and factors.
// Unit: registers; guessed.
const SpareOfPair = 4

// LeastPanels is the number of panels from which on they pay.
// Unit: panels; guessed.
const LeastPanels = 4

// WidestRow bounds the vectors of a row of a block. More would need more
// registers for the row than they save. With 16 registers the model takes 6 rows of
// 2 vectors, as BLIS does for AVX2, with 32 8 rows of 3: the shape that was the fastest
// for gemm on an AMD Zen 5 with AVX-512. SpareRegisters are left to the compiler: with
// 4 rows of 3 vectors, which take all 16, gcc 12 reads the vectors of the row from
// memory for each of its uses, and gemm is 0.78 times as fast on a Zen 3.
// Unit: vectors, and registers; measured: gemm, AMD Zen 5 and Zen 3, 2026-11-22.
const WidestRow, SpareRegisters = 3, 1

// LeastRelayed is the number of columns from which threads run through strips as in a relay. Where
// it is known that there are fewer than twice as many, a team of threads is faster, on the same
// machine: matrices of 300 x 300 take 1.1 times as long, of 500 x 500 as long, and of 1000 x 1000
// 0.8 of the time (mvt, bicg) in relays.
// Unit: columns; measured: mvt and bicg, AMD EPYC (Zen 4), 2026-11-26.
const LeastRelayed = 256

// The lengths of tiles along a loop that is vectorised, and the longest of other
// loops of the same band. A vector loop is to be long enough for what each of its
// executions costs, and a tile has reuse along the others.
//
// Measured on an AMD EPYC (Zen 3: 32 KiB, 512 KiB), gcc 12, one thread, PolyBench
// LARGE, with the other loops by the footprint, against cubes that fit in the
// first cache:
//
//	         cube       LongTile 128            256             512
//	gemm     40³        92 x 128 x 92: 1.22     0.96            0.98
//	trmm     40³        128 x 128 x 128: 1.65   1.28            1.41
//	doitgen             252 x 128: 1.30         124 x 256: 1.36 1.25
//
// with differences below 0.15 within the noise of a shared machine. Stencils differ less than that
// from 32 to 1024 there; they are longer for the wider vectors of others, where 32 costs a factor
// of two. Of three loops or more whole rows are taken, with the other sizes for rows of
// LongStencilTile, because short ones cost time where statements are many: rows of 2048 against 256
// run fdtd-2d 1.15 to 1.3 times as fast, seidel-2d, heat-3d and jacobi-2d as fast within the noise.
const (
	// Unit: iterations; measured: gemm, trmm and doitgen, AMD EPYC (Zen 3), 2026-11-22.
	LongTile = 128
	// Unit: iterations; measured: jacobi-2d, AMD EPYC (Zen 3), 2026-11-22.
	LongStencilTile = 256
	// Unit: iterations; measured: fdtd-2d, AMD EPYC (Zen 3), 2026-11-22.
	WholeRow = 2048
	// Unit: iterations; guessed.
	MostOther = 64
	// Unit: iterations; guessed.
	LeastOther = 8
)

// TilesOfWave is the number of tiles along the second loop of a wavefront, for each thread but one,
// with which threads wait for the first and the last waves for a fifth of the time.
// Unit: tiles; guessed.
const TilesOfWave = 4

// MostUneven is how many times its share of the iterations a thread may have.
// Unit: ratio of iterations; guessed.
const MostUneven = 1.15

// LeastHeight is the least number of iterations that a tile in a wavefront has along the outermost
// loop.
// Unit: iterations; guessed.
const LeastHeight = 2

// ShareOfStill is the part of the first cache that what stands still is to be larger than, for
// tiles to keep it there.
// Unit: parts of a cache; guessed.
const ShareOfStill = 16

const (
	// StripRows is the number of rows of a strip where nobody knows how long they are or how many
	// threads there will be. Otherwise each thread has as many of one as half of the second cache
	// holds, in whole register blocks, one at least.
	//
	// Measured on an AMD EPYC (Zen 3: 512 KiB, 32 MiB), gcc 12, atax: a matrix of 1800 x 2200
	// doubles takes 1.58 ms with strips of 8 rows on one thread, 1.66 with 16 and 1.67 with 32, and
	// on two threads 1.32 with 16 rows and 1.46 with 32; one of 8000 x 8000, of which 8 rows fill
	// the second cache, takes 31.3, 33.5 and 35.2 ms on one thread, and 24.6 and 25.3 on two. On
	// two threads of an AMD Zen 5 (1 MiB), with blocks of 16 rows, 2000 x 2000 takes 1.20 ms with
	// strips of 32 rows, 1.04 with 64, 1.03 with 128 and 1.07 with 256; 6000 x 6000 takes 11.4,
	// 11.3, 11.3 and 11.4.
	// Unit: rows; measured: atax, AMD EPYC (Zen 3), 2026-11-24.
	StripRows = 32
	// LeastWaveRows and MostWaveRows bound the rows of a block of a strip in wavefronts, and
	// WavesPerThread is how many waves there are for each thread between these: pieces keep what
	// statements share in the first cache, so that blocks may be as large as leaves few blocks at
	// the first and last waves, at which threads wait. A matrix of 2000 x 2000 doubles takes 1.28
	// ms with blocks of 16 rows on two threads whose cache lines take 0.2 to 0.4 us from one to the
	// other, 0.60 with 64 and 0.57 with 128 (mvt, AMD Zen 5, gcc 12); one of 6000 x 6000 7.7, 6.2
	// and 6.0.
	// Unit: rows, and waves; measured: mvt, AMD Zen 5, 2026-11-24.
	LeastWaveRows, MostWaveRows, WavesPerThread = 16, 128, 4
	// WaveElements is how many elements a block has at least where the matrix has many short rows:
	// threads meet at the end of each wave, which takes 1 to 3 us there, and as many elements 20.
	// Unit: elements; guessed.
	WaveElements = 1 << 16
	// WaveGrain is the number of accesses below which one thread is as fast as wavefronts. There
	// are some for matrices that are larger than the second caches of all threads: 700 x 700 takes
	// 0.7 of the time with strips of whole rows on two threads, 1000 x 1000 and 1400 x 1400 take
	// 0.5; 450 x 450 takes 1.2 times as long as with one thread, 300 x 300 1.6 times.
	// Unit: accesses; measured: mvt, AMD Zen 5, 2026-11-24.
	WaveGrain = 16 * Grain
	// PieceBytes is how long the rows of a piece of a strip are: two lines, so that a piece is one
	// register block of sums of rows in lanes, and one of the sum of rows, whose elements the
	// processor finds in the first cache while it already brings the next ones. With pieces of 512
	// and 256 bytes mvt takes 1.05 to 1.15 of the time (2000 x 2000, and 6000 x 6000 doubles, AMD
	// Zen 5, gcc 12, 16 rows, one thread and two). Without pieces an Intel Xeon (Cascade Lake) took
	// 1.1 to 1.5 of the time with pieces of 512 bytes.
	// Unit: bytes; measured: mvt, AMD Zen 5, 2026-11-24.
	PieceBytes = 128
)

const (
	// LongestUnrolled is the most iterations that a loop of a sum has that is unrolled, and
	// MostInBlock the most vectors that a block computes in one iteration of its stream.
	// Unit: iterations, and vectors; guessed.
	LongestUnrolled, MostInBlock = 8, 256
	// ChainsOfBlock is the number of vectors of a block that hides how long an addition takes.
	// Unit: vectors; guessed.
	ChainsOfBlock = 8
	// OutOfBlock is how many times as long an instance takes outside of full blocks: measured for
	// convolutions, where single rows and columns were outside.
	// Unit: ratio of times; guessed.
	OutOfBlock = 8
	// ManyIterations are as many for each thread as can be shared out evenly.
	// Unit: iterations; guessed.
	ManyIterations = 16
)

// MostUnrolled is the largest number of iterations of a nest in which all of them are parts of a
// vector loop's body.
// Unit: iterations; guessed.
const MostUnrolled = 32

// WalkHeight is the number of rows of a tile of a band that walks through matrices once: threads
// wait for the first and the last waves for as many rows, and meet once for so many.
// Unit: iterations; guessed.
const WalkHeight = 16

// MostDegrees is the largest value of the axis "degrees".
// Unit: loops; guessed.
const MostDegrees = 3

// SecondLevelRatio is the number of tiles along each loop of a tile of the second
// level: Pluto's.
// Unit: tiles; given: Pluto 0.12.
const SecondLevelRatio = 8

// BlockLoops is the number of loops that register blocks have: as many are to be left inside.
// Unit: loops; given: a register block's rows, lanes and stream.
const BlockLoops = 3
