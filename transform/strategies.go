package transform

// Strategies are all strategies in the order in which those of one place are asked; the first that
// has a plan is taken. It is filled by init, as strategies ask for others inside of their own.
var Strategies []Strategy

func init() {
	Strategies = []Strategy{
		{Name: "inplace", Place: AtMemory, Try: View.otherMemory, Doc: `
for i, j: t = …; …; A[i][j] = f(t)             =>    for i, j: A[i][j] = …; …; A[i][j] = f(A[i][j])
A temporary has its values in elements of an array that are written later anyway, each iteration its own.`},
		{Name: "expand-outermost", Place: AtMemory, Try: View.otherMemory, Doc: `
for i: for j: t[j] = …; for j: … t[j]          =>    for i: for j: t1[i][j] = …; for j: … t1[i][j]
A temporary has elements for each iteration of the outermost loop (array expansion; Feautrier, ICS'88), so
that threads share that out.`},
		{Name: "expand", Place: AtMemory, Try: View.otherMemory, Doc: `
for i, j: t = 0; for k: t += …; … t            =>    for i, j: t1[i][j] = 0; for k: t1[i][j] += …; … t1[i][j]
A temporary has elements for all iterations (array expansion; Feautrier, ICS'88), so that the loops around
it are tiled, and run in vectors.`},
		{Name: "cut", Place: AtProgram, Try: View.cut, Doc: `
for k, i, j: p[i][j] = f(p[i][k], p[k][j])     =>    for k: for i < k, j < k: …; for i < k, j > k: …; …
Statements are split where a loop carries nothing in the pieces, although it does in the whole.`},
		{Name: "classes-apart", Place: AtClasses, Try: View.classesApart, Doc: `
for i, j: S(i, j); T(i, j)                     =>    for i, j: S(i, j)
                                                     for i, j: T(i, j)
Where statements have blocks or vectors in loops of their own alone and an estimate says so: an integral
image and means from it take 0.92 of gcc's time, and 1.3 together (virtual AMD Zen 4, two threads).`},
		{Name: "relay", Place: AtNeighbours, Try: View.relay, Doc: `
for i, j: s[i] += A[i][j] * x[j]               for blocks of rows (handed on from thread to thread):
for i: r[i] = f(s[i])                    =>      s[i] += …; r[i] = f(s[i]);
for i, j: y[j] += A[i][j] * r[i]                 y[j] += A[i][j] * r[i] in the thread's own columns
The matrix comes from the memory once: a logistic regression's gradient takes 0.55 of the time (virtual
AMD Zen 4, two threads).`},
		{Name: "strips", Place: AtClass, Try: View.strips, Doc: `
for i, j: s[i] += A[i][j] * x[j]         for blocks of rows of A:
for i, j: y[j] += A[i][j] * s[i]    =>     for i, j in the block: s[i] += …
                                           for i, j in the block: y[j] += …
Sums of rows and what is added up of them walk through a matrix once, block by block.`},
		{Name: "web", Place: AtClass, Try: View.web, Doc: `
for i, j: t[i][j] = …                    for i (threads):
for i, j: u[i][j] = f(t[i][j])      =>     for j: t[i][j] = …
                                           for j: u[i][j] = f(t[i][j])
Statements that pass values on share the outer loops that carry nothing, and are apart inside: what
one iteration writes is in a cache when it is read.`},
		{Name: "contract", Place: AtClass, Axis: axisNamed(contractAxis), Try: View.contract, Doc: `
for i, j: t[i][j] = 0                    for tiles of j:
for i, j, k: t[i][j] += …           =>     for i, j in the tile: t[i][j] = 0
for i, j: C[i][j] = t[i][j]                for i, j in the tile, k: t[i][j] += …; …
An expanded array has elements for one tile: symm of 1000 x 1200 doubles took 0.85 of the time (AMD
EPYC (Zen 3), gcc 12, one thread).`},
		{Name: "panels", Place: AtClass, Axis: axisNamed(phasesAxis), Try: View.panels, Doc: `
for k: make column k;                    for panels of columns:
  for j > k: update column j        =>     its steps, with the updates of its own columns
                                           for blocks of other columns: all steps of the panel
The blocked right-looking form (Golub and Van Loan, Matrix Computations, sections 3.2.11 and 5.2.8):
gramschmidt of 1200 x 1000 doubles took 0.45 of the time (Intel Xeon with AVX-512, one thread).`},

		{Name: "apart-in-name", Place: AtParting, Try: View.inNameOnly, Doc: `
for t: if (t < N) S(t); else T(t - N)    =>    for t: S(t)
                                               for t: T(t)
A loop that carries something and runs one statement after the other is none.`},
		{Name: "apart-free", Place: AtParting, Try: View.freeApart, Doc: `
for i (carries): S(i); T(i)              =>    for i (threads): S(i)
                                               for i (threads): T(i)
Statements that share no loop without dependences have one each.`},
		{Name: "apart-tiny", Place: AtParting, Try: View.tinyApart, Doc: `
for j + k, k < 4: S(j, k); T(j, k)       =>    for k < 4, j < 4: S(j, k)
                                               for k < 4, j < 4: T(j, k)
Nests of few iterations are not skewed to share a loop: compilers unroll them as they are.`},
		{Name: "apart-far", Place: AtParting, Try: View.farApart, Doc: `
for i < 15: if (i < 8) S(i); if (i > 6) T(i - 7)    =>    for i < 8: S(i)
                                                          for i < 8: T(i)
Statements that run later by half of a loop have few iterations in common.`},

		{Name: "sum", Place: AtNest, Axis: axisNamed(registersAxis), Try: View.sum, Doc: `
for f, y, x: for g, ky, kx: out[f][y][x] += …    =>    for f; for g, ky: blocks of y, x with kx unrolled
Sums over several loops, such as convolutions, keep the order of these, with blocks of their results in
registers along two loops that carry nothing.`},

		{Name: "as-written", Place: AtRows, Try: View.asWritten, Doc: `
for 2 * j + y, x: s += in[2 * j + y][x]      =>    for y < 3, x < 3: s += in[2 * j + y][x]
Nests of few iterations, which compilers unroll, are not skewed for tiles: a filter of 3 x 3 points in
steps of two takes 2.6 ms instead of 10 (Intel Xeon with AVX-512, one thread).`},
		{Name: "window", Place: AtRows, Try: View.windowInside, Doc: `
for k < 31, i: y[i] += c[k] * x[i + k]       =>    for i in vectors: for k < 31: y[i] += …
Short sums stay in registers inside of vectors: a filter of 31 taps takes 4.4 ms instead of 5.7 (AMD
Zen 4, gcc 12).`},
		{Name: "tail", Place: AtRows, Try: View.tailApart, Doc: `
for x, 2 * x + p: b += u[x][p] * …           =>    for x: for p < 3: b += u[x][p] * …
A tiny loop that is skewed along a long one is left to the compiler: Tiramisu's baryon takes 34 ms instead
of 159 (AMD EPYC with AVX-512, two threads).`},
		{Name: "delay", Place: AtRows, Axis: axisNamed(delayAxis), Try: View.later, Doc: `
for k: for i: s += x[i]; for i: x[i] = y[i]  =>    for k: for i: x[i] = y[i]; s += x[i]
What a sum in order adds up in the next iteration is written in its loop, one iteration later: durbin of
2000 elements takes 0.90 of the time (Intel Xeon, gcc 12, one thread).`},

		{Name: "sweep", Place: AtBand, Axis: axisNamed(registersAxis), Try: View.sweep, Doc: `
for i, j: y[i] += A[i][j] * x[j]         =>    for blocks of 8 i, j: y[i] += …; …; y[i + 7] += …
Products of a matrix and a vector take several rows at a time, as many chains of additions: 1.23 ms
instead of 2.6 for 1900 x 2100 doubles (AMD EPYC (Zen 3), gcc 12, one thread).`},
		{Name: "beside", Place: AtBand, Axis: axisNamed(interleaveAxis), Try: View.beside, Doc: `
for i, j: x[i][j] = f(x[i][j - 1])       =>    for blocks of 8 i, j: x[i][j] = …; …; x[i + 7][j] = …
Unroll-and-jam of recurrences, skewed where that is needed: seidel-2d of 2000 x 2000 points takes
0.4 s instead of 1.98 (AMD EPYC (Zen 3), gcc 12, one thread).`},
		{Name: "phases", Place: AtBand, Axis: axisNamed(phasesAxis), Try: View.phases, Doc: `
tiles of k, i, j in wavefronts           =>    for tiles of k: the tile of the diagonal,
                                                 panels beside and below it (threads),
                                                 the update of all that is left (threads)
The blocked right-looking form of factorizations (Golub and Van Loan, Matrix Computations, section
3.2.11): lu of 2000 rows takes 0.8 of the time (AMD Zen 3, one thread).`},
		{Name: "blocks", Place: AtBand, Axis: axisNamed(registersAxis), Try: View.blocks, Doc: `
for i, j, k: C[i][j] += A[i][k] * B[k][j]    =>    for tiles, for blocks of i, j:
                                                     for k: their sums in registers
Tiles in all caches around sums that stay in registers, with operands copied in the order of use
(Goto and van de Geijn, Anatomy of high-performance matrix multiplication, TOMS'08).`},
		{Name: "tiles", Place: AtBand, Axis: axisNamed(TileAxis), Try: View.tiles, Doc: `
for i, j: S(i, j)                        =>    for it, jt: for i in it, j in jt: S(i, j)
Tiles whose data fit into a cache, in wavefronts where no loop is parallel as it is (section V of
the SC'10 paper); with --diamond those of a wave start together (SC'12).`},

		{Name: "source", Place: AtLoops, Try: View.source, Doc: `
the model's loops                        =>    those of the source, as far as these are permutable
Where some of the statements with the most work have no vectors in the model's loops and an estimate
says so: a game of life takes 8 ms instead of 83 (AMD EPYC with AVX-512, two threads).`},
	}
}
