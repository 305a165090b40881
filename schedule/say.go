package schedule

import (
	"slices"
	"strings"

	"polytune/scop"
	"polytune/scop/mark"
)

// Phrase is a part of what an explanation says that was done to a loop.
type Phrase struct {
	Topic Topic
	Text  string
	Joint Joint
}

// Topic is what a phrase is about. Phrases stand in the order of their topics, and those of one
// topic in that of the commands' words.
type Topic int

// The topics are what a loop runs over, where its threads start, which they are, from how many
// iterations on and how they share them, how its lanes run, what is fetched meanwhile, what its
// tiles are like, and what is packed or copied.
const (
	AboutRange Topic = iota
	AboutStart
	AboutThreads
	AboutThreadsFrom
	AboutThreadsShare
	AboutLanes
	AboutLanesHow
	AboutAhead
	AboutTiles
	AboutPacks
	AboutCopies
)

// Joint is how a phrase is joined to those before it.
type Joint int

const (
	// Alone is a phrase of its own, GoingOn goes on with the one before, and Replacing stands in
	// its place.
	Alone Joint = iota
	GoingOn
	Replacing
)

// Say is one phrase about a topic.
func Say(topic Topic, text string) []Phrase { return []Phrase{{Topic: topic, Text: text}} }

// Silent says nothing.
func Silent(*Loop, Telling) []Phrase { return nil }

// Telling is what phrases need to know beside the loop.
type Telling struct {
	Program *scop.Program
	// Threads is the number of threads of parallel loops.
	Threads int
	// Declined is what the code lacks of the schedule.
	Declined []mark.Declined
}

// Lacks says what code does without, and why, that lacks a mark at a loop for which without has a
// text; "" where it lacks none.
func (t Telling) Lacks(loop string, without func(mark.Mark) string) string {
	for _, d := range t.Declined {
		if text := without(d.Mark); text != "" && mark.LoopOf(d.Mark) == loop {
			return text + ", because " + d.Reason
		}
	}
	return ""
}

// Lacking has a text for the marks of a kind.
func Lacking[M mark.Mark](text string) (without func(mark.Mark) string) {
	return func(m mark.Mark) string {
		if _, is := m.(M); is {
			return text
		}
		return ""
	}
}

// SayOr is a phrase about a topic, or in its place what the code at the loop lacks.
func (t Telling) SayOr(loop string, without func(mark.Mark) string, topic Topic, text string) []Phrase {
	if missing := t.Lacks(loop, without); missing != "" {
		text = missing
	}
	return Say(topic, text)
}

// Coded is the loop as the code has it: without the threads, lanes and relays that were declined.
func (t Telling) Coded(l *Loop) *Loop {
	coded := *l
	for _, d := range t.Declined {
		if mark.LoopOf(d.Mark) != l.Name {
			continue
		}
		switch d.Mark.(type) {
		case mark.Parallel:
			coded.Marks = mark.Without[mark.Parallel](coded.Marks)
		case mark.Vector:
			coded.Marks = mark.Without[mark.Vector](coded.Marks)
		case mark.Relay:
			coded.Requests = slices.DeleteFunc(slices.Clone(coded.Requests), func(r Request) bool { _, is := r.(StartsThreads); return is })
		}
	}
	return &coded
}

// Say is what was done to a loop, in plain words; what is the same is said once.
func (l Language) Say(loop *Loop, t Telling) []string {
	var phrases []Phrase
	for _, s := range l.Specs() {
		phrases = append(phrases, s.Say(loop, t)...)
	}
	slices.SortStableFunc(phrases, func(a, b Phrase) int { return int(a.Topic) - int(b.Topic) })
	said := []string{}
	for _, p := range phrases {
		last := len(said) - 1
		switch {
		case p.Joint == GoingOn && last >= 0:
			said[last] += p.Text
		case p.Joint == Replacing && last >= 0:
			said[last] = p.Text
		case !slices.Contains(said, p.Text):
			said = append(said, p.Text)
		}
	}
	return said
}

// Without says what code does without that lacks a mark.
func (l Language) Without(m mark.Mark) string {
	for _, s := range l.Specs() {
		if s.Without == nil {
			continue
		}
		if text := s.Without(m); text != "" {
			return text
		}
	}
	kind, _, _ := strings.Cut(m.String(), " ")
	return "without " + kind
}
