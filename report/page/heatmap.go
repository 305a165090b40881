package page

import (
	"cmp"
	"fmt"
	"slices"

	"polytune/report"
	"polytune/report/figure"
	"polytune/store"
	"polytune/tuner"
)

// tiling is a pair of loops of a partition whose sizes of tiles vary.
type tiling struct{ partition, x, y string }

// sizes are those of the tiles of a pair of loops.
type sizes struct{ x, y int64 }

// leastTiles is the least number of pairs of sizes that make a figure.
const leastTiles = 4

// addHeatMap draws the best speed-up for each pair of sizes that was tried of the tiling with the
// most pairs, if the sizes vary independently of each other.
func (v *cellView) addHeatMap(c *report.Cell) error {
	chosen, tiles := mostVaried(tilings(c))
	if len(tiles) < leastTiles {
		return nil
	}
	partition, err := tuner.ParsePartition(chosen.partition)
	if err != nil {
		return err
	}
	var list []figure.Tile
	for at, t := range tiles {
		list = append(list, figure.Tile{X: at.x, Y: at.y, Ratio: t.Summary.Speedup.Median, Tip: tip(c, t)})
	}
	slices.SortFunc(list, func(a, b figure.Tile) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	text := report.Partition(partition)
	svg, err := figure.HeatMap("Tile sizes of "+c.Name(),
		fmt.Sprintf("The best speed-up for each of %d pairs of sizes of tiles of the loops %s and %s in the partition %s.", len(list), chosen.x, chosen.y, text),
		chosen.x, chosen.y, list)
	v.HeatMap = svg
	v.HeatMapNote = fmt.Sprintf("Partition %s: the best speed-up for each pair of sizes that was tried, whatever else the variants have; empty where nothing was.", text)
	return err
}

// tilings are the fastest trials by pairs of loops and sizes.
func tilings(c *report.Cell) map[tiling]map[sizes]*report.Trial {
	found := map[tiling]map[sizes]*report.Trial{}
	for i := range c.Trials {
		t := &c.Trials[i]
		if !t.Timed() || t.Variant == store.Original {
			continue
		}
		partition := tuner.PartitionText(t.Partition)
		for x, xSize := range t.Tiles {
			for y, ySize := range t.Tiles {
				if x >= y {
					continue
				}
				pair, at := tiling{partition, x, y}, sizes{xSize, ySize}
				if found[pair] == nil {
					found[pair] = map[sizes]*report.Trial{}
				}
				if best := found[pair][at]; best == nil || t.Summary.Speedup.Median > best.Summary.Speedup.Median {
					found[pair][at] = t
				}
			}
		}
	}
	return found
}

// mostVaried chooses the pair of loops with the most pairs of sizes, among those where one size
// does not follow from the other.
func mostVaried(found map[tiling]map[sizes]*report.Trial) (chosen tiling, tiles map[sizes]*report.Trial) {
	for pair, candidates := range found {
		xs, ys := map[int64]bool{}, map[int64]bool{}
		for at := range candidates {
			xs[at.x], ys[at.y] = true, true
		}
		if len(xs) < 2 || len(ys) < 2 || len(candidates) <= max(len(xs), len(ys)) {
			continue
		}
		if len(candidates) > len(tiles) || len(candidates) == len(tiles) && pair.less(chosen) {
			chosen, tiles = pair, candidates
		}
	}
	return chosen, tiles
}

func (t tiling) less(u tiling) bool {
	return cmp.Or(cmp.Compare(t.partition, u.partition), cmp.Compare(t.x, u.x), cmp.Compare(t.y, u.y)) < 0
}
