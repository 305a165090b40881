package layers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/scop/ranks"
)

// Communication is Layer IV: Layer II with the operations on memory and between processors as
// statements with their time.
type Communication struct {
	Order
	Operations []Operation `json:"operations"`
}

// Operation is one of these.
type Operation struct {
	// Kind is allocate, free, copy, barrier, send, receive, sum, for what ranks put together, or again,
	// for instances of other ranks' rows that a rank computes, too.
	Kind string `json:"kind"`
	// Of is the buffer, or what is sent, and Text says more of it.
	Of   string `json:"of,omitempty"`
	Text string `json:"text,omitempty"`
	// Times is the set of times at which it is done, as isl reads it: in front of what has these
	// values in the same dimensions, or behind it.
	Times string `json:"times"`
	// Behind says that it is done behind what runs at these times.
	Behind bool  `json:"behind"`
	Tags   []Tag `json:"tags,omitempty"`
}

// CommunicationOf is Layer IV of a schedule.
func CommunicationOf(m *scop.Model, tree *schedule.Tree) (*Communication, error) {
	w, err := walk(m, tree)
	if err != nil {
		return nil, err
	}
	data, err := DataOf(m, tree)
	if err != nil {
		return nil, err
	}
	c := &Communication{Order: w.order}
	held := map[string]bool{}
	for _, o := range w.operations {
		if o.Kind == "allocate" {
			held[o.Of] = true
		}
	}
	var behind []Operation
	for _, b := range data.Buffers {
		if b.Own && !held[b.Name] {
			c.Operations = append(c.Operations, Operation{Kind: "allocate", Of: b.Name, Text: b.text(), Times: "{ allocate[] }"})
			behind = append([]Operation{{Kind: "free", Of: b.Name, Times: "{ free[] }", Behind: true}}, behind...)
		}
	}
	c.Operations = slices.Concat(c.Operations, w.operations, w.toldOutside(), behind)
	for k := range c.Operations {
		for _, b := range data.Buffers {
			if o := &c.Operations[k]; o.Kind == "allocate" && o.Of == b.Name {
				o.Text = b.text()
			}
		}
	}
	return c, nil
}

// operation notes what a mark above a node asks for.
func (w *walker) operation(m mark.Mark, n *isl.ScheduleNode, around []dimension) {
	add := func(kind, of, text string, behind bool) {
		w.operations = append(w.operations, Operation{Kind: kind, Of: of, Text: text, Behind: behind, Times: w.timesOf(n, around, kind), Tags: tagsOf(around)})
	}
	switch m := m.(type) {
	case mark.Local:
		if w.tree.Program.Array(m.Array) == nil || w.tree.Expansion(m.Array) != nil {
			add("allocate", m.Array, "", false)
			add("free", m.Array, "", true)
			return
		}
		add("copy", m.Array, fmt.Sprintf("of elements of %s to memory of their own", m.Array), false)
		if w.writes(n, m.Array) {
			add("copy", m.Array, fmt.Sprintf("of what is written, back to %s", m.Array), true)
		}
	case mark.Held:
		if !w.allocated[m.Array] {
			add("allocate", m.Array, "", false)
			add("free", m.Array, "", true)
		}
	case mark.Allocate:
		w.allocated[m.Array] = true
		add("allocate", m.Array, "", false)
		add("free", m.Array, "", true)
	case mark.Pack:
		add("copy", m.Statement, "of what a reference reads, in the order in which it does", false)
	case mark.Box:
		add("copy", m.Array, m.String(), false)
	case mark.Barrier:
		add("barrier", "", m.String(), false)
	case mark.Meet:
		add("barrier", "", "of all ranks", true)
	case mark.Ranks:
		w.tell(m.Loop, add)
		if w.plan == nil {
			return
		}
		for _, sum := range w.plan.Sums {
			if sum.Behind == m.Loop {
				add("sum", sum.Array.Spelling(), sum.Clause.String()+" "+sum.Points.SetTupleName(isl.DimOut, sum.Array.Name).String(), true)
			}
		}
	case mark.Ghost:
		w.tell(m.Loop, add)
		if w.plan == nil {
			return
		}
		for _, again := range w.plan.Again[m.Loop] {
			add("again", w.model.Statement(again.TupleName()).Spelling(), again.String(), false)
		}
	case mark.Parallel:
		add("barrier", "", "of the threads of "+w.tree.Written(m.Loop), true)
	}
}

// writes says whether code below a node writes an array.
func (w *walker) writes(n *isl.ScheduleNode, array string) bool {
	return slices.ContainsFunc(n.Domain().Sets(), func(set *isl.Set) bool {
		s := w.model.Statement(set.TupleName())
		return s != nil && slices.ContainsFunc(s.Statement.Accesses, func(a scop.Access) bool { return a.Write && a.Array == array })
	})
}

// tell adds what ranks tell each other in front of a loop that they share, or of an iteration in which
// they compute values again.
func (w *walker) tell(loop string, add func(kind, of, text string, behind bool)) {
	for _, told := range w.told(loop) {
		array := told.Array.Spelling()
		points := told.Points.SetTupleName(isl.DimOut, told.Array.Name).String()
		add("send", array, points, false)
		add("receive", array, points, false)
	}
}

// toldOutside are the operations of what ranks tell each other in front of code that all of them run,
// and behind the region, so that all have all results.
func (w *walker) toldOutside() (list []Operation) {
	if w.plan == nil {
		return nil
	}
	for _, x := range w.plan.Exchanges {
		for _, told := range x.Arrays {
			if x.Before != "" && !x.Last {
				continue
			}
			points := told.Points.SetTupleName(isl.DimOut, told.Array.Name).String()
			for _, kind := range []string{"send", "receive"} {
				list = append(list, Operation{Kind: kind, Of: told.Array.Spelling(), Text: points, Times: "{ " + kind + "[] }", Behind: x.Last})
			}
		}
	}
	return list
}

// told are the elements that ranks tell each other in front of a loop that they share: relations from
// the times around to elements, with the bounds of the blocks of both as parameters.
func (w *walker) told(loop string) (list []ranks.Elements) {
	if w.plan == nil {
		plan, err := ranks.Of(w.model, w.made, ranks.Options{Gather: ranks.OnAll})
		if err != nil {
			w.err = cmp.Or(w.err, err)
			return nil
		}
		w.plan = plan
	}
	for _, x := range w.plan.Exchanges {
		if x.Before == loop && !x.Last {
			list = append(list, x.Arrays...)
		}
	}
	return list
}

func tagsOf(around []dimension) (list []Tag) {
	for _, d := range around {
		for _, text := range merged(d.tags) {
			list = append(list, Tag{d.name, text})
		}
	}
	return list
}

// timesOf are the values of the dimensions around a node, as isl reads them.
func (w *walker) timesOf(n *isl.ScheduleNode, around []dimension, name string) string {
	var all *isl.Set
	for _, set := range n.Domain().Sets() {
		times := w.times(set, around, name)
		switch {
		case times == nil:
		case all == nil:
			all = times.Range()
		default:
			all = all.Union(times.Range())
		}
	}
	if all == nil {
		return "{ " + name + "[] }"
	}
	return all.Coalesce().String()
}

// String are the operations in front, what is computed, and the operations behind, each as isl reads
// its times.
func (c *Communication) String() string {
	var b strings.Builder
	for _, behind := range []bool{false, true} {
		for _, o := range c.Operations {
			if o.Behind == behind {
				b.WriteString(o.text() + "\n")
			}
		}
		if !behind {
			b.WriteString(c.Order.String())
		}
	}
	return b.String()
}

func (o *Operation) text() string {
	what := strings.TrimSpace(o.Kind + " " + o.Of)
	if o.Text != "" {
		what = o.Kind + " " + o.Text
	}
	if o.Behind {
		what += ", behind"
	}
	for _, t := range o.Tags {
		what += ", " + t.Loop + " " + t.Text
	}
	return o.Times + " # " + what
}
