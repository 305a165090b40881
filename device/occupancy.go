package device

import (
	"slices"

	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// Occupancy estimates how many blocks of a kernel a multiprocessor of an NVIDIA GPU has at once:
// what a compiler makes of the kernel decides, and is not asked.
type Occupancy struct {
	// Registers are those of 32 bits that a thread needs.
	Registers int64 `json:"registers"`
	// Blocks is how many a multiprocessor has at once, and Part the part of its warps that they
	// are.
	Blocks int64   `json:"blocks"`
	Part   float64 `json:"part"`
	// LimitedBy says of what there is no more: "registers", "shared memory", "warps" or "blocks".
	LimitedBy string `json:"limited_by"`
}

// What a multiprocessor has from compute capability 8.0 on (CUDA C++ Programming Guide, Technical
// Specifications per Compute Capability; 9.0 has more shared memory): registers of 32 bits, of
// which warps get multiples of 256 and threads 255 at most, bytes of shared memory, of which each
// block takes 1 KiB besides its own, warps, and blocks.
const (
	allRegisters, warpRegisters, mostThreadRegisters = 65536, 256, 255
	allShared, reservedShared                        = 164 * 1024, 1024
	allWarps, allBlocks, warp                        = 64, 32, 32
)

// basicRegisters are those for the numbers of threads and blocks and for what is computed on the
// way.
const basicRegisters = 16

// occupancy estimates that of a kernel. Its registers are two for the address of each array, one
// for each loop's variable that is alive at once, those of the elements in private memory and of
// the values of tiles that are streamed, and those of the elements that its largest statement uses.
func (p *kernelText) occupancy() Occupancy {
	k := p.kernel
	o := Occupancy{Registers: basicRegisters + 2*int64(len(k.Arrays)) + deepest(k.Body)}
	for _, box := range k.Boxes {
		if box.Memory == mark.Own {
			o.Registers += registersFor(boxes.Bytes(box, int64(p.arrays[box.Array].Size)))
		}
	}
	loopir.Walk(k.Body, func(s loopir.Stmt) {
		if tile, is := s.(*loopir.Streamed); is {
			o.Registers += registersFor(tile.Registers() * tile.Bytes)
		}
	})
	var most int64
	for _, r := range loopir.Runs(k.Body) {
		most = max(most, operands(p.program, r.Statement.Statement))
	}
	o.Registers = min(o.Registers+most, mostThreadRegisters)
	warps := (k.Threads[0]*k.Threads[1]*k.Threads[2] + warp - 1) / warp
	limits := []limit{
		{"warps", allWarps / warps},
		{"registers", allRegisters / (warps * roundedUp(o.Registers*warp, warpRegisters))},
		{"shared memory", allShared / (k.SharedBytes + reservedShared)},
		{"blocks", allBlocks},
	}
	least := slices.MinFunc(limits, func(a, b limit) int { return int(a.blocks - b.blocks) })
	o.Blocks, o.LimitedBy, o.Part = least.blocks, least.by, float64(least.blocks*warps)/allWarps
	return o
}

// limit is how many blocks there is something for.
type limit struct {
	by     string
	blocks int64
}

// registersFor is the number of registers, each of four bytes, for some bytes.
func registersFor(bytes int64) int64 { return (bytes + 3) / 4 }

func roundedUp(n, to int64) int64 { return (n + to - 1) / to * to }

// deepest is the largest number of loops and variables inside each other.
func deepest(code loopir.Code) (most int64) {
	for _, s := range code {
		inside := int64(0)
		switch s.(type) {
		case *loopir.For, *loopir.Let:
			inside = 1
		}
		for _, body := range loopir.Bodies(s) {
			most = max(most, inside+deepest(*body))
		}
	}
	return most
}

// operands is how many registers the different elements take that a statement uses.
func operands(program *scop.Program, s *scop.Statement) (count int64) {
	var known []string
	for _, access := range s.Accesses {
		if a := program.Array(access.Array); a != nil && !slices.Contains(known, access.Relation) {
			known = append(known, access.Relation)
			count += registersFor(int64(a.Size))
		}
	}
	return count
}
