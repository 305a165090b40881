package loopir

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"polytune/scop/ranks"
)

// rank is what one of several ranks knows.
type rank struct {
	number, ranks int64
	mail          *mail
	// met is how often the rank has waited for all others.
	met int
	// wait gives the turn to the other ranks.
	wait func()
}

// letters are the messages of one exchange from one rank to another one.
type letters struct {
	exchange int
	from, to int64
}

// mail has the messages that are under way, the oldest of two ranks first, and counts all.
type mail struct {
	under map[letters][][]uint64
	// moved counts what was sent and what was received, and ranks that have come to wait for all.
	moved int64
	// met is how many ranks have come to each of the places, in time, where all wait.
	met []int64
	Told
}

// Told is what ranks have told each other.
type Told struct {
	// Messages and Elements are their numbers, without those of the results at the end.
	Messages, Elements int64
}

// errUnread and errSilent are what ends code on ranks that would wait for ever, or whose messages
// nobody takes.
var (
	errUnread = errors.New("a rank sends what no rank receives")
	errSilent = errors.New("ranks wait for messages that nobody sends")
)

// RunOnRanks runs the code on so many ranks, each with memory of its own, and gives what it leaves in
// each, as Run does.
func (m *Machine) RunOnRanks(code Code, ranks int) (left []map[string]uint64, told Told, err error) {
	post := &mail{under: map[letters][][]uint64{}}
	machines := make([]*Machine, ranks)
	left = make([]map[string]uint64, ranks)
	next := make([]func() (struct{}, bool), ranks)
	for k := range machines {
		own := *m
		own.variables, own.rank = maps.Clone(m.variables), &rank{number: int64(k), ranks: int64(ranks), mail: post}
		machines[k] = &own
		var stop func()
		next[k], stop = iter.Pull(own.asRank(code, &left[k]))
		defer stop()
	}
	err = post.deliver(machines, next, m.Backwards)
	return left, post.Told, err
}

// asRank runs the code of a rank, and yields where it waits for a message.
func (m *Machine) asRank(code Code, left *map[string]uint64) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		m.rank.wait = func() {
			if m.err == nil && !yield(struct{}{}) {
				m.err = errStopped
			}
		}
		*left, m.err = m.Run(code)
	}
}

// deliver gives each rank its turns until all have ended.
func (p *mail) deliver(machines []*Machine, next []func() (struct{}, bool), backwards bool) error {
	for waiting, before := len(machines), int64(-1); waiting > 0; {
		waiting = 0
		for k := range machines {
			if backwards {
				k = len(machines) - 1 - k
			}
			if _, waits := next[k](); waits {
				waiting++
			}
			if err := machines[k].err; err != nil {
				return fmt.Errorf("rank %d of %d: %w", k, len(machines), err)
			}
		}
		if waiting > 0 && p.moved == before {
			return errSilent
		}
		before = p.moved
	}
	for _, under := range p.under {
		if len(under) > 0 {
			return errUnread
		}
	}
	return nil
}

// onRanks runs the code of a rank, which knows its blocks.
func (m *Machine) onRanks(s *OnRanks) {
	if m.rank == nil {
		m.err = errors.New("code on ranks runs on no rank")
		return
	}
	for _, g := range s.Groups {
		defer m.block(g, m.rank.number, RankRows.own)()
		if rows := g[0]; rows.Shortest != "" {
			defer m.set(rows.Shortest, max(0, m.value(rows.High)-m.value(rows.Low)+1)/m.rank.ranks)()
		}
	}
	m.run(s.Body)
}

func (r RankRows) own() [2]string  { return r.Own }
func (r RankRows) from() [2]string { return r.From }
func (r RankRows) to() [2]string   { return r.To }

// block gives names the first and the last rows of a rank, until restore is called.
func (m *Machine) block(g RankGroup, rank int64, names func(RankRows) [2]string) (restore func()) {
	shape := ranks.Shape(m.rank.ranks, len(g))
	var all []func()
	for d, at := range ranks.Place(rank, shape) {
		low := m.value(g[d].Low)
		rows := max(0, m.value(g[d].High)-low+1)
		all = append(all, m.set(names(g[d])[0], low+rows*at/shape[d]), m.set(names(g[d])[1], low+rows*(at+1)/shape[d]-1))
	}
	return func() {
		for _, restore := range slices.Backward(all) {
			restore()
		}
	}
}

// exchange runs what of an exchange happens here.
func (m *Machine) exchange(s *Exchange) {
	if m.rank == nil {
		m.err = errors.New("an exchange is on no rank")
		return
	}
	for k, name := range s.Times {
		defer m.set(name, m.value(s.At[k]))()
	}
	own := m.rank.number
	for other := range m.rank.ranks {
		if other == own || s.Part == EndExchange || s.ToRoot && other != 0 {
			continue
		}
		if elements := m.toldTo(s, own, other); len(elements) > 0 {
			m.post(s, other, elements)
		}
	}
	for other := range m.rank.ranks {
		if other == own || s.Part == StartExchange || s.ToRoot && own != 0 {
			continue
		}
		if elements := m.toldTo(s, other, own); len(elements) > 0 {
			m.receive(letters{s.Number, other, own}, elements)
		}
	}
}

// meet waits for all ranks.
func (m *Machine) meet() {
	if m.rank == nil {
		m.err = errors.New("ranks wait for each other where there are none")
		return
	}
	mail, now := m.rank.mail, m.rank.met
	if m.rank.met++; now == len(mail.met) {
		mail.met = append(mail.met, 0)
	}
	mail.met[now]++
	mail.moved++
	m.note(Note{Kind: "barrier"})
	for m.err == nil && mail.met[now] < m.rank.ranks {
		m.rank.wait()
	}
}

// toldTo are the elements that one rank tells another one.
func (m *Machine) toldTo(s *Exchange, from, to int64) (elements []touched) {
	for _, g := range s.Of {
		defer m.block(g, from, RankRows.from)()
		defer m.block(g, to, RankRows.to)()
	}
	for _, a := range s.Arrays {
		elements = append(elements, m.visited(a.Loops)...)
	}
	return elements
}

// visited are the elements that loops visit.
func (m *Machine) visited(loops Code) (elements []touched) {
	before := m.visit
	defer func() { m.visit = before }()
	m.visit = func(v *Visit) {
		elements = append(elements, touched{array: v.Array.Name, element: elementOf(m.values(v.At))})
	}
	m.run(loops)
	return elements
}

// post sends another rank the values of elements.
func (m *Machine) post(s *Exchange, to int64, elements []touched) {
	values := make([]uint64, len(elements))
	for k, t := range elements {
		values[k] = m.memory.read(t)
		m.note(Note{Kind: "send", Of: t.array, Element: t.element, With: to})
	}
	mail, key := m.rank.mail, letters{s.Number, m.rank.number, to}
	mail.under[key] = append(mail.under[key], values)
	mail.moved++
	if !s.Last {
		mail.Messages, mail.Elements = mail.Messages+1, mail.Elements+int64(len(values))
	}
}

// receive waits for a message, and gives elements its values.
func (m *Machine) receive(key letters, elements []touched) {
	for k, value := range m.letter(key, len(elements)) {
		m.memory.write(elements[k], value)
		m.note(Note{Kind: "receive", Of: elements[k].array, Element: elements[k].element, With: key.from})
	}
}

// letter waits for a message with so many values.
func (m *Machine) letter(key letters, count int) []uint64 {
	mail := m.rank.mail
	for m.err == nil && len(mail.under[key]) == 0 {
		m.rank.wait()
	}
	if m.err != nil {
		return nil
	}
	values := mail.under[key][0]
	mail.under[key] = mail.under[key][1:]
	mail.moved++
	if len(values) != count {
		m.err = fmt.Errorf("%d elements come from rank %d, and %d are expected", len(values), key.from, count)
		return nil
	}
	return values
}
