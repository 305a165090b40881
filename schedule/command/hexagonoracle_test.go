package command

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// plane is a stencil whose dependences are known: statement s of k computes A_s[t, i, …] from
// elements that are so far away, and has the time k t + s. All instances are in a box, and all
// numbers known, so that everything can be tried.
type plane struct {
	statements int
	least      []int64 // of t, i, …
	extents    []int64
	distances  []distance
	// The hexagons.
	sizes  []int64
	slopes []schedule.Slope
	// how says who runs tiles.
	how runners
}

// runners are who runs the tiles of a phase.
type runners int

const (
	// inOrder runs one tile after the other, besideEachOther tiles of a phase beside each other.
	inOrder runners = iota
	besideEachOther
	// asBlocks has tiles of a phase as blocks of a device, whose threads share the points and wait
	// after each step; withoutBarriers they do not wait.
	asBlocks
	withoutBarriers
)

// planeThreads are those of a block along the last dimension.
const planeThreads = 3

// distance says that an instance of a statement reads what one of another statement has written, so
// far away.
type distance struct {
	source, target int
	by             []int64 // in t, i, …
}

// steps is how far apart both are in the time k t + s.
func (d distance) steps(p *plane) int64 {
	return int64(p.statements)*d.by[0] + int64(d.target-d.source)
}

const planeTries = 1500

// Hexagonal tiles of random stencils, with slopes that are no integers, too small or too large, and
// with widths below those of equation (1), are compared with what trying all instances tells: each
// instance has one tile, which is that of the report's equations; dependences run forwards; tiles
// of one phase do not depend on each other. The proof of the lowered schedule comes to the same
// answer each time. None of the 1500 is no partition: below the width of equation (1) it is
// dependences that break.
func TestHexagonOracle(t *testing.T) {
	tries := 8
	if kerneltest.Long() {
		tries = planeTries
	}
	outcomes := map[string]int{}
	for seed := range uint64(tries) {
		p := drawPlane(rand.New(rand.NewPCG(seed, 42)))
		outcome, err := p.compare(t)
		if err != nil {
			t.Errorf("seed %d: %+v: %v", seed, *p, err)
		}
		outcomes[outcome]++
	}
	t.Log(outcomes)
	if outcomes[legal] < tries/3 || outcomes[broken] < tries/10 || kerneltest.Long() && (outcomes[waiting] < tries/100 || outcomes[racing] < tries/20) {
		t.Errorf("of %d planes %v", tries, outcomes)
	}
}

// What trying all instances tells.
const (
	legal       = "legal"
	noPartition = "no partition"
	broken      = "a dependence runs backwards"
	waiting     = "a tile depends on another one of its phase"
	racing      = "a thread depends on another one without a barrier"
)

func drawPlane(random *rand.Rand) *plane {
	p := &plane{statements: 1 + random.IntN(3), how: []runners{inOrder, besideEachOther, besideEachOther, asBlocks, asBlocks, withoutBarriers}[random.IntN(6)]}
	dimensions := 1 + random.IntN(6)/5
	for range 1 + random.IntN(3) {
		p.distances = append(p.distances, drawDistance(random, p.statements, dimensions))
	}
	p.slopes = p.leastSlopes(dimensions)
	for k := range p.slopes {
		p.slopes[k] = otherSlope(random, p.slopes[k])
	}
	p.sizes = []int64{1 + random.Int64N(4), 1 + random.Int64N(4)}
	for len(p.sizes) <= dimensions {
		p.sizes = append(p.sizes, 1+random.Int64N(5))
	}
	least := (&schedule.Hexagon{Sizes: p.sizes, Slopes: p.slopes}).LeastWidth()
	if p.sizes[1] += least - 1; least > 1 && random.IntN(3) == 0 {
		p.sizes[1] = 1 + random.Int64N(least-1)
	}
	height, wide := p.sizes[0]-1, 2*p.sizes[1]+p.slopes[0].Floor(p.sizes[0]-1)+p.slopes[1].Floor(p.sizes[0]-1)
	p.extents = []int64{(4*height+8)/int64(p.statements) + 1, 2*wide + 1}
	for len(p.extents) <= dimensions {
		p.extents = append(p.extents, 7)
	}
	for range p.extents {
		p.least = append(p.least, random.Int64N(30)-15)
	}
	return p
}

// drawDistance is one of 1 to 3 in time, and of -3 to 3 in space.
func drawDistance(random *rand.Rand, statements, dimensions int) distance {
	for {
		d := distance{source: random.IntN(statements), target: random.IntN(statements), by: []int64{random.Int64N(4)}}
		if steps := d.steps(&plane{statements: statements}); steps < 1 || steps > 3 {
			continue
		}
		for range dimensions {
			d.by = append(d.by, random.Int64N(7)-3)
		}
		return d
	}
}

// leastSlopes are those that the distances need.
func (p *plane) leastSlopes(dimensions int) []schedule.Slope {
	slopes := make([]schedule.Slope, dimensions+1)
	for k := range slopes {
		slopes[k] = schedule.NewSlope(0, 1)
		for _, d := range p.distances {
			far := -d.by[max(k, 1)]
			if k == 0 {
				far = -far
			}
			if steps := d.steps(p); far*slopes[k].Under > slopes[k].Over*steps {
				slopes[k] = schedule.NewSlope(far, steps)
			}
		}
	}
	return slopes
}

// otherSlope is a slope, or one that is too small or too large.
func otherSlope(random *rand.Rand, s schedule.Slope) schedule.Slope {
	switch random.IntN(8) {
	case 0:
		return schedule.NewSlope(s.Over, 2*s.Under)
	case 1:
		return schedule.NewSlope(max(0, 2*s.Over-s.Under), 2*s.Under)
	case 2:
		return schedule.NewSlope(3*s.Over+s.Under, 3*s.Under)
	}
	return s
}

// program is the stencil.
func (p *plane) program() *scop.Program {
	iterators := []string{"t", "i", "j"}[:len(p.extents)]
	program := &scop.Program{Name: "plane", Context: "{ : }"}
	at := strings.Join(iterators, ", ")
	var box []string
	for k, it := range iterators {
		box = append(box, fmt.Sprintf("%d <= %s < %d", p.least[k], it, p.least[k]+p.extents[k]))
	}
	for s := range p.statements {
		name := fmt.Sprint("S", s)
		own := scop.Statement{Name: name, Position: make([]int, len(iterators)+1), Domain: fmt.Sprintf("{ %s[%s] : %s }", name, at, strings.Join(box, " and "))}
		own.Position[1] = s
		for _, it := range iterators {
			own.Loops = append(own.Loops, scop.Loop{Iterator: it})
		}
		own.Accesses = []scop.Access{{Array: fmt.Sprint("A", s), Write: true, Relation: fmt.Sprintf("{ %s[%s] -> A%d[%s] }", name, at, s, at)}}
		for _, d := range p.distances {
			var from []string
			for k, it := range iterators {
				from = append(from, fmt.Sprintf("%s - (%d)", it, d.by[k]))
			}
			if d.target == s {
				own.Accesses = append(own.Accesses, scop.Access{Array: fmt.Sprint("A", d.source), Read: true, Relation: fmt.Sprintf("{ %s[%s] -> A%d[%s] }", name, at, d.source, strings.Join(from, ", "))})
			}
		}
		program.Statements = append(program.Statements, own)
	}
	return program
}

// recipe is the stencil's with hexagons of a width that they can have.
func (p *plane) recipe(width int64) string {
	iterators := strings.Join([]string{"t", "i", "j"}[:len(p.extents)], ", ")
	space := strings.TrimPrefix(iterators, "t")
	var names, rows, loops []string
	for s := range p.statements {
		names = append(names, fmt.Sprint("S", s))
		rows = append(rows, fmt.Sprintf("S%d[%s] -> [%dt + %d%s]", s, iterators, p.statements, s, space))
	}
	for k := range p.extents {
		loops = append(loops, fmt.Sprint("c0.", k+1))
	}
	sizes := slices.Clone(p.sizes)
	sizes[1] = width
	words := func(list any) string { return strings.Trim(fmt.Sprint(list), "[]") }
	text := fmt.Sprintf("classes {%s}\nband c0 %s\nhexagon %s by %s slopes %s\n", words(names), strings.Join(rows, "; "), words(loops), words(sizes), words(p.slopes))
	for phase := range schedule.HexagonPhases {
		text += p.run(fmt.Sprint("c0p", phase))
	}
	return text
}

// run are the commands that say who runs the tiles of a phase.
func (p *plane) run(phase string) string {
	switch p.how {
	case besideEachOther:
		return fmt.Sprintf("parallel %s.2h\n", phase)
	case asBlocks, withoutBarriers:
		text := fmt.Sprintf("block %[1]s.2h\nthread %[1]s.%[2]d by %[3]d\n", phase, len(p.extents), planeThreads)
		if p.how == asBlocks {
			text += fmt.Sprintf("barrier %s.1\n", phase)
		}
		return text
	}
	return ""
}

// compare compares what the proof says with what trying all instances tells, which is the outcome.
func (p *plane) compare(t *testing.T) (outcome string, err error) {
	ctx := isl.NewContext()
	defer ctx.Close()
	program := p.program()
	g := kerneltest.AnalyzeIn(t, ctx, program)
	least := (&schedule.Hexagon{Sizes: p.sizes, Slopes: p.slopes}).LeastWidth()
	recipe, err := Parse(program, p.recipe(max(least, p.sizes[1])))
	if err != nil {
		return "", err
	}
	tree, err := recipe.Replay(program)
	if err != nil {
		return "", err
	}
	tree.Classes[0].Loops[0].Hexagon.Of.Sizes = p.sizes
	lowered := tree.Schedule(g.Model)
	times, err := p.timesOf(lowered.Tree)
	if err != nil {
		return "", err
	}
	outcome, err = p.tried(times)
	proof := g.Check(lowered)
	switch {
	case err != nil:
	case proof == nil && outcome != legal:
		return outcome, fmt.Errorf("it is proven, but: %s", outcome)
	case proof != nil && outcome == legal:
		return outcome, fmt.Errorf("it is legal, but: %v", proof)
	case (outcome == noPartition) == depend.IsIllegal(proof) && proof != nil:
		return outcome, fmt.Errorf("%s, but: %v", outcome, proof)
	case outcome == noPartition && p.sizes[1] >= least:
		return outcome, fmt.Errorf("%s, and the width is not below %d", outcome, least)
	case outcome != legal && outcome != racing && p.sizes[1] >= least && p.isSteep():
		return outcome, fmt.Errorf("%s, and the slopes are as large as needed", outcome)
	}
	return outcome, err
}

// isSteep says whether all slopes are as large as needed.
func (p *plane) isSteep() bool {
	for k, least := range p.leastSlopes(len(p.extents) - 1) {
		if s := p.slopes[k]; s.Over*least.Under < least.Over*s.Under {
			return false
		}
	}
	return true
}

// instance is one of a statement.
type instance struct {
	statement int
	at        [3]int64
}

// timesOf are the times at which instances run: T, the phase, S0, …, and the point.
func (p *plane) timesOf(s *isl.Schedule) (map[instance][][]int64, error) {
	times := map[instance][][]int64{}
	for _, m := range s.Map().IntersectDomain(s.Domain()).Maps() {
		var statement int
		if _, err := fmt.Sscanf(m.TupleName(isl.DimIn), "S%d", &statement); err != nil {
			return nil, err
		}
		all, err := m.Wrap().Points(1 << 20)
		if err != nil {
			return nil, err
		}
		from := m.Dim(isl.DimIn)
		for _, point := range all {
			key := instance{statement: statement}
			copy(key.at[:], point[from-len(p.extents):from])
			times[key] = append(times[key], point[from:])
		}
	}
	return times, nil
}

// tried is what trying all instances tells.
func (p *plane) tried(times map[instance][][]int64) (outcome string, err error) {
	outcome = legal
	for x := range p.instances() {
		tiles := p.tilesOf(x)
		if len(tiles) != 1 || len(times[x]) != 1 {
			return noPartition, nil
		}
		if dimensions := len(p.extents); !slices.Equal(times[x][0][:dimensions+1], tiles[0]) {
			return "", fmt.Errorf("%v is in the tile %v instead of %v", x, times[x][0][:dimensions+1], tiles[0])
		}
	}
	for x := range p.instances() {
		for _, d := range p.distances {
			source := instance{statement: d.source, at: x.at}
			for k, by := range d.by {
				source.at[k] -= by
			}
			if d.target != x.statement || len(times[source]) == 0 {
				continue
			}
			before, after := times[source][0], times[x][0]
			if slices.Compare(before, after) >= 0 {
				return broken, nil
			}
			isBeside := p.how != inOrder && slices.Equal(before[:2], after[:2])
			isOthers := floorMod(source.at[len(p.extents)-1], planeThreads) != floorMod(x.at[len(p.extents)-1], planeThreads)
			switch {
			case isBeside && before[2] != after[2]:
				outcome = waiting
			case isBeside && outcome == legal && p.how == withoutBarriers && isOthers:
				outcome = racing
			}
		}
	}
	return outcome, nil
}

// instances are all.
func (p *plane) instances() func(func(instance) bool) {
	return func(yield func(instance) bool) {
		count := int64(p.statements)
		for _, extent := range p.extents {
			count *= extent
		}
		for n := range count {
			x := instance{statement: int(n % int64(p.statements))}
			rest := n / int64(p.statements)
			for k, extent := range p.extents {
				x.at[k] = p.least[k] + rest%extent
				rest /= extent
			}
			if !yield(x) {
				return
			}
		}
	}
}

// tilesOf are T, the phase, S0, … of the tiles that an instance is in by equations (2) to (16) of
// RR-8339, with (3) corrected.
func (p *plane) tilesOf(x instance) (tiles [][]int64) {
	height, width := p.sizes[0]-1, p.sizes[1]-1
	time := int64(p.statements)*x.at[0] + int64(x.statement)
	f0, f1 := floor(times(height, rational(p.slopes[0]))), floor(times(height, rational(p.slopes[1])))
	high, wide := 2*height+2, 2*width+2+f0+f1
	for phase := range int64(2) {
		late, aside := (1-phase)*(height+1), (1-phase)*(f0+width+1)
		tile := floorOf(time+late, high)
		a := time + late - high*tile
		s := x.at[1] + aside + tile*(f1-f0)
		column := floorOf(s, wide)
		if !p.hasPoint(a, s-wide*column, f0, f1) {
			continue
		}
		coordinates := []int64{tile, phase, column}
		for k, size := range p.sizes[2:] {
			sloped := new(big.Rat).Add(times(1, big.NewRat(x.at[k+2], 1)), times(a, rational(p.slopes[k+2])))
			coordinates = append(coordinates, floor(sloped.Quo(sloped, big.NewRat(size, 1))))
		}
		tiles = append(tiles, coordinates)
	}
	return tiles
}

// hasPoint says whether a hexagon has the point (a, b): equations (6) to (13).
func (p *plane) hasPoint(a, b, f0, f1 int64) bool {
	height, width := p.sizes[0]-1, p.sizes[1]-1
	d0, d1 := rational(p.slopes[0]), rational(p.slopes[1])
	// rising is d0 a - b, falling d1 a + b.
	rising, falling := new(big.Rat).Sub(times(a, d0), big.NewRat(b, 1)), new(big.Rat).Add(times(a, d1), big.NewRat(b, 1))
	plus := func(x *big.Rat, y int64) *big.Rat { return new(big.Rat).Add(x, big.NewRat(y, 1)) }
	below := func(s schedule.Slope) *big.Rat { return big.NewRat(s.Under-1, s.Under) }
	return rising.Cmp(plus(times(2*height+1, d0), -f0)) <= 0 &&
		falling.Cmp(plus(times(2*height+1, d1), f0+width)) <= 0 &&
		falling.Cmp(new(big.Rat).Sub(times(height, d1), below(p.slopes[1]))) >= 0 &&
		rising.Cmp(new(big.Rat).Sub(plus(times(height, d0), -f0-width-f1), below(p.slopes[0]))) >= 0
}

func rational(s schedule.Slope) *big.Rat { return big.NewRat(s.Over, s.Under) }

func times(n int64, x *big.Rat) *big.Rat { return new(big.Rat).Mul(big.NewRat(n, 1), x) }

func floor(x *big.Rat) int64 { return floorOf(x.Num().Int64(), x.Denom().Int64()) }

func floorOf(a, b int64) int64 { return (a - floorMod(a, b)) / b }

func floorMod(a, b int64) int64 { return (a%b + b) % b }
