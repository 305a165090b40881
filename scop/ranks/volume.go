package ranks

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/isl/points"
	"polytune/scop"
)

// Volume is what ranks tell each other in one run.
type Volume struct {
	Messages int64 `json:"messages"`
	Bytes    int64 `json:"bytes"`
	// Exchanges are about the arrays of each exchange, by how far the rank that receives is from
	// the one that sends.
	Exchanges []ArrayVolume `json:"exchanges"`
	// Sums are what ranks put together.
	Sums []SumVolume `json:"sums,omitempty"`
	// Gather is the same for results at the end, which Messages and Bytes leave out.
	Gather *Gathered `json:"gather,omitempty"`
}

// ArrayVolume is what ranks are told of an array. Messages have elements of other arrays, too.
type ArrayVolume struct {
	Array    string `json:"array"`
	Before   string `json:"before"`
	To       string `json:"to"`
	Elements int64  `json:"elements"`
	Messages int64  `json:"messages"`
	// Unread are the elements that messages have without need.
	Unread int64 `json:"unread,omitempty"`
}

// SumVolume is what ranks put together of an array, in so many calls of MPI_Allreduce.
type SumVolume struct {
	Array    string `json:"array"`
	Behind   string `json:"behind"`
	Elements int64  `json:"elements"`
	Calls    int64  `json:"calls"`
}

// Gathered are messages.
type Gathered struct {
	Messages int64 `json:"messages"`
	Bytes    int64 `json:"bytes"`
	// Unread are the elements that messages have without need.
	Unread int64 `json:"unread,omitempty"`
}

// MostCounted is the largest number of ranks for which messages are counted.
const MostCounted = 128

// Volume counts what so many ranks tell each other with values of the program's parameters, in the
// order of the program.
func (p *Plan) Volume(m *scop.Model, parameters map[string]int, ranks int,
	gather Gather) (v Volume, err error) {
	if ranks > MostCounted {
		return v, fmt.Errorf("messages are counted for up to %d ranks", MostCounted)
	}
	v.Exchanges = []ArrayVolume{}
	values := map[string]int64{}
	for _, name := range m.Program.Parameters {
		values[name] = int64(parameters[name])
	}
	blocks, err := p.blocksOf(m, values, ranks)
	if err != nil {
		return v, err
	}
	for _, x := range p.Exchanges {
		for from := range ranks {
			for to := range ranks {
				if from == to || x.Last && gather == OnRoot && to != 0 {
					continue
				}
				start := m.Context.Mark()
				err := p.count(&v, m, x, values, blocks, from, to)
				m.Context.Release(start)
				if err != nil {
					return v, err
				}
			}
		}
	}
	for _, sum := range p.Sums {
		points := sum.Points.IntersectParams(m.Context.ReadSet(fixedText(values)))
		elements, err := pointsOf(withoutParameters(points.Wrap()))
		if err != nil {
			return v, err
		}
		calls, err := pointsOf(withoutParameters(points.Domain()))
		if err != nil {
			return v, err
		}
		v.Sums = append(v.Sums, SumVolume{Array: sum.Array.Spelling(), Behind: sum.Behind,
			Elements: elements, Calls: calls})
	}
	return v, m.Context.Err()
}

// blocksOf are the first and the last rows of each rank in each dimension, by groups.
func (p *Plan) blocksOf(m *scop.Model, values map[string]int64,
	ranks int) (blocks [][][][2]int64, err error) {
	for _, g := range p.Groups {
		rows := withoutParameters(g.rows.IntersectParams(m.Context.ReadSet(fixedText(values))))
		list, shape := make([][][2]int64, ranks), Shape(int64(ranks), len(g.Own))
		for d := range g.Own {
			low, total, err := rangeOf(rows.ProjectOut(isl.DimSet, d+1, len(g.Own)-d-1).
				ProjectOut(isl.DimSet, 0, d))
			if err != nil {
				return nil, err
			}
			for r := range list {
				at := Place(int64(r), shape)[d]
				list[r] = append(list[r], [2]int64{low + total*at/shape[d],
					low + total*(at+1)/shape[d] - 1})
			}
		}
		blocks = append(blocks, list)
	}
	return blocks, nil
}

// rangeOf is the least of some numbers, and how many there are up to the greatest.
func rangeOf(numbers *isl.Set) (low, total int64, err error) {
	none, err := numbers.IsEmpty()
	if err != nil || none {
		return 0, 0, err
	}
	from, is := numbers.Lexmin().Point()
	to, too := numbers.Lexmax().Point()
	if !is || !too {
		return 0, 0, errors.New("the rows that ranks share are not known")
	}
	return from[0], to[0] - from[0] + 1, nil
}

// withoutParameters is a set whose parameters have values, without them.
func withoutParameters(s *isl.Set) *isl.Set {
	return s.ProjectOut(isl.DimParam, 0, s.Dim(isl.DimParam))
}

// fixedText is the set of the values of parameters, in isl's notation.
func fixedText(values map[string]int64) string {
	var names, conditions []string
	for name, value := range values {
		names = append(names, name)
		conditions = append(conditions, fmt.Sprintf("%s = %d", name, value))
	}
	if len(names) == 0 {
		return "{ : }"
	}
	return fmt.Sprintf("[%s] -> { : %s }", strings.Join(names, ", "),
		strings.Join(conditions, " and "))
}

// count adds what one rank tells another one in an exchange.
func (p *Plan) count(v *Volume, m *scop.Model, x *Exchange, values map[string]int64,
	blocks [][][][2]int64, from, to int) error {
	fixed := map[string]int64{}
	for name, value := range values {
		fixed[name] = value
	}
	for k, g := range p.Groups {
		for d := range g.Own {
			fixed[g.From[d].First], fixed[g.From[d].Last] = blocks[k][from][d][0],
				blocks[k][from][d][1]
			fixed[g.To[d].First], fixed[g.To[d].Last] = blocks[k][to][d][0], blocks[k][to][d][1]
		}
	}
	for k, g := range p.Groups {
		if g.Shortest != "" {
			fixed[g.Shortest] = leastOf(blocks[k])
		}
	}
	known := m.Context.ReadSet(fixedText(fixed))
	var times *isl.Set
	bytes, notNeeded := int64(0), int64(0)
	place := "rank " + p.distance(from, to, len(blocks[0]))
	for _, a := range x.Arrays {
		told := a.Points.IntersectParams(known)
		elements, err := pointsOf(withoutParameters(told.Wrap()))
		if err != nil {
			return err
		}
		if elements == 0 {
			continue
		}
		own := withoutParameters(told.Domain())
		messages, err := pointsOf(own)
		if err != nil {
			return err
		}
		if times != nil {
			own = own.Union(times)
		}
		times = own
		bytes += elements * int64(a.Array.Size)
		unread, err := p.unread(x, a, known)
		if err != nil {
			return err
		}
		notNeeded += unread
		if !x.Last {
			v.add(ArrayVolume{Array: a.Array.Spelling(), Before: x.Before, To: place,
				Elements: elements, Messages: messages, Unread: unread})
		}
	}
	if times == nil {
		return nil
	}
	messages, err := pointsOf(times)
	if err != nil {
		return err
	}
	if x.Last {
		if v.Gather == nil {
			v.Gather = &Gathered{}
		}
		v.Gather.Messages, v.Gather.Bytes = v.Gather.Messages+messages, v.Gather.Bytes+bytes
		v.Gather.Unread += notNeeded
		return nil
	}
	v.Messages, v.Bytes = v.Messages+messages, v.Bytes+bytes
	return nil
}

// leastOf is the least number of rows of ranks, in the first dimension.
func leastOf(blocks [][][2]int64) int64 {
	least := blocks[0][0][1] - blocks[0][0][0] + 1
	for _, b := range blocks {
		least = min(least, b[0][1]-b[0][0]+1)
	}
	return least
}

// unread is the number of elements that messages have and nobody reads.
func (p *Plan) unread(x *Exchange, a Elements, known *isl.Set) (count int64, err error) {
	for _, h := range p.Hands {
		if h.from == x && h.Array == a.Array {
			return pointsOf(withoutParameters(h.unread.IntersectParams(known).Wrap()))
		}
	}
	for _, w := range p.Wider {
		if w.from == x && w.Array == a.Array {
			return pointsOf(withoutParameters(w.unread.IntersectParams(known).Wrap()))
		}
	}
	return 0, nil
}

// distance says how far a rank is from another one, in a grid in each dimension.
func (p *Plan) distance(from, to, count int) string {
	if !p.HasGrids() {
		return sign(to - from)
	}
	dims := 0
	for _, g := range p.Groups {
		dims = max(dims, len(g.Own))
	}
	shape := Shape(int64(count), dims)
	var list []string
	for d, at := range Place(int64(to), shape) {
		list = append(list, sign(int(at-Place(int64(from), shape)[d])))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// sign is a distance with its sign.
func sign(distance int) string {
	if distance < 0 {
		return fmt.Sprintf("- %d", -distance)
	}
	return fmt.Sprintf("+ %d", distance)
}

// add adds to what is known of an array.
func (v *Volume) add(more ArrayVolume) {
	k := slices.IndexFunc(v.Exchanges, func(o ArrayVolume) bool {
		return o.Array == more.Array && o.Before == more.Before && o.To == more.To
	})
	if k < 0 {
		v.Exchanges = append(v.Exchanges, more)
		return
	}
	v.Exchanges[k].Elements += more.Elements
	v.Exchanges[k].Messages += more.Messages
	v.Exchanges[k].Unread += more.Unread
}

// pointsOf is the number of points of a set without parameters.
func pointsOf(s *isl.Set) (int64, error) {
	count, err := points.In(s)
	if err == nil && !count.Exact {
		err = errors.New("there are too many messages to count them")
	}
	return int64(count.Value), err
}
