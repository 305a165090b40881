package command

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
)

// streaming says along which loop over space tiles are streamed; nil for none. A step is as far
// behind the step before as values are needed.
func (c Overlapped) streaming(t *schedule.Tree, n *schedule.Node, first int) (*schedule.Streaming, error) {
	if c.Streaming == "" {
		return nil, nil
	}
	place := slices.Index(c.Loops, c.Streaming) - 1
	switch {
	case place < 0:
		return nil, fmt.Errorf("loop %q is none of those over space, along which tiles are streamed", c.Streaming)
	case len(c.Loops) < 3:
		return nil, fmt.Errorf("tiles that are streamed along %q have no other loop over space, whose points threads share", c.Streaming)
	case first > 0 || len(t.Outside(n)) > 0 || len(n.Loops) > len(c.Loops) || len(n.Parts) > 0:
		return nil, fmt.Errorf("tiles that are streamed have all loops of their statements, and no parts")
	}
	slope := c.Slopes[place]
	return &schedule.Streaming{Place: place, Lag: (slope.Over + slope.Under - 1) / slope.Under}, nil
}

// randomThreads share the points of a plane of tiles that are streamed, and wait behind each step
// now and then.
func (c Overlapped) randomThreads(random *rand.Rand, n *schedule.Node) (commands []schedule.Command) {
	part := fmt.Sprint(n.Name, phaseMark, 0)
	thread := Thread{}
	for _, name := range c.Loops[1:] {
		if name != c.Streaming {
			thread.Loops, thread.Sizes = append(thread.Loops, part+strings.TrimPrefix(name, n.Name)), append(thread.Sizes, 1+random.Int64N(4))
		}
	}
	if len(thread.Loops) <= maxDimensions {
		commands = append(commands, thread)
	}
	if random.IntN(4) > 0 {
		commands = append(commands, Barrier{Of: part + strings.TrimPrefix(c.Loops[0], n.Name)})
	}
	return commands
}

// streamFirst puts the loop along which tiles are streamed in front of that over time: each of its
// iterations has one plane of each step.
func streamFirst(tiles *schedule.Node, shape *schedule.Overlapped) {
	along, time := tiles.Loops[shape.Stream.Place+1], tiles.Loops[0]
	rows := maps.Clone(along.Terms[0].Rows)
	for s := range rows {
		rows[s] = rows[s].Plus(time.Terms[0].Rows[s], shape.Stream.Lag)
	}
	along.Terms, along.Permutable, along.Band = []schedule.Term{{Rows: rows, Size: 1}}, false, tiles.Bands
	tiles.Bands++
	others := slices.DeleteFunc(slices.Clone(tiles.Loops), func(l *schedule.Loop) bool { return l == along })
	tiles.Loops = append([]*schedule.Loop{along}, others...)
}
