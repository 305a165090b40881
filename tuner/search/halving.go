package search

import (
	"context"
	"math/rand/v2"
	"slices"
)

const (
	// firstTiles is the number of tiles that each partition gets at first, and
	// mostTiles that from which on the last partition gets no more.
	firstTiles, mostTiles = 2, 64
)

// halving is successive halving (Jamieson and Talwalkar, Non-stochastic best
// arm identification and hyperparameter optimization, AISTATS 2016) over
// partitions: each that is left gets the same number of points with other
// tiles, then the slower half leaves, and the others get twice as many.
type halving struct {
	space  Space
	random *rand.Rand
	// left are the partitions that have not left, by text; nil at first.
	left []string
	// tiles is how many points each of them gets, ahead are those to come.
	tiles int
	ahead []Point
}

func (h *halving) Next(ctx context.Context, n int, known *Known) ([]Point, error) {
	b := newBatch(known, n)
	for !b.full() {
		if len(h.ahead) == 0 && (len(b.points) > 0 || h.tiles >= mostTiles && len(h.left) <= 1) {
			break
		}
		if len(h.ahead) == 0 {
			if err := h.stage(ctx, known); err != nil {
				return nil, err
			}
			continue
		}
		b.take(h.ahead[0])
		h.ahead = h.ahead[1:]
	}
	return b.points, nil
}

// stage sends the slower half of the partitions away and draws points for the
// others.
func (h *halving) stage(ctx context.Context, known *Known) error {
	best := h.bestOf(known)
	if h.tiles > 0 || len(best) == 0 {
		best = best[:(len(best)+1)/2]
	}
	h.left = nil
	for _, o := range best {
		h.left = append(h.left, o.Partition.String())
	}
	h.tiles = max(2*h.tiles, firstTiles)
	drawn := newBatch(known, len(best)*h.tiles)
	for _, o := range best {
		for count, attempt := 0, 0; count < h.tiles && attempt < attemptsPerPoint; attempt++ {
			p, err := h.space.Retile(ctx, h.random, o.Point)
			if err != nil {
				return err
			}
			if drawn.take(p) {
				count++
			}
		}
	}
	h.ahead = drawn.points
	return nil
}

// bestOf are the best outcomes of the partitions that are left, fastest first.
func (h *halving) bestOf(known *Known) []Outcome {
	var best []Outcome
	for _, o := range known.Leaders() {
		partition := o.Partition.String()
		if h.tiles > 0 && !slices.Contains(h.left, partition) {
			continue
		}
		if !slices.ContainsFunc(best, func(b Outcome) bool { return slices.Equal(b.Partition, o.Partition) }) {
			best = append(best, o)
		}
	}
	return best
}
