package transform

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/space/variant"
	"polytune/transform/facts"
)

// Strategy is one way in which a place in a program gets its loops.
type Strategy struct {
	// Name is one word, or several with hyphens: --without takes it.
	Name string
	// Place is where it is asked.
	Place Place
	// Doc says in a few lines what it does to loops, and where it is from or what it gains.
	Doc string
	// Axis is the switch of the tuner that turns it off or has it do otherwise, nil for none.
	Axis *variant.Axis
	// Try says what the strategy would do, and changes nothing: a plan where it is to be taken, nil
	// where it is not, with the reason.
	Try func(View) (*Plan, Reason, error)
}

// Place is a place where one of several strategies decides. The first that has a plan is taken.
type Place string

const (
	// AtProgram is the program before its statements are in classes: whether they are split.
	AtProgram Place = "program"
	// AtMemory is the program's memory: whether temporaries have other memory.
	AtMemory Place = "memory"
	// AtClasses is a class of a partition that the models have chosen: whether it had better be
	// several.
	AtClasses Place = "classes"
	// AtNeighbours are classes behind each other of such a partition: whether they had better be one.
	AtNeighbours Place = "neighbours"
	// AtClass is a class of statements, before it has loops: which ones they share, and in what
	// blocks.
	AtClass Place = "class"
	// AtParting is a band that statements inside other loops could share: whether they had better
	// have loops of their own.
	AtParting Place = "parting"
	// AtNest is what loops are left of some statements, before any of them is found.
	AtNest Place = "nest"
	// AtRows is a band that has been found and is to have its place: whether it had better be another
	// one.
	AtRows Place = "rows"
	// AtBand is a permutable band: its tiles, blocks and threads.
	AtBand Place = "band"
	// AtLoops is a class that has the model's loops: whether it had better have those of the source.
	AtLoops Place = "loops"
)

// Reason says why a strategy is taken or not, in words that follow on its name and a colon.
type Reason string

// View is what a strategy looks at: the program, the options, what has been decided so far, and the
// place that it is asked about.
type View struct {
	*planner
	// node is what is known of a class, a copy that a strategy may complete.
	node *nodePlan
	// start is where the search for loops begins.
	start setting
	// asked says that somebody has asked for the structure of a class inside its loop.
	asked bool
	// band is what is known of a band.
	band *decision
	// shared is the band that statements share, or that components of them, which have the rows
	// found, could share; outermost says that a class of several statements shares it.
	shared     *facts.Band
	outermost  bool
	components [][]int
	found      map[int][][]int64
	// change is one of the program.
	change Change
	// classes are those of a partition, of which the one with the index class is asked about.
	classes [][]int
	class   int
	// model are the commands that give a class the model's loops.
	model []schedule.Command
}

// Plan is what a strategy wants to be done.
type Plan struct {
	// Commands are those of the place and what is inside; the driver has them from what the strategy
	// has emitted.
	Commands []schedule.Command
	// Threads says that no loop inside of a band is to run on several threads.
	Threads bool
	// Classes take the place of so many classes of a partition.
	Classes  [][]int
	Replaced int
	// Band is what a band that has been found becomes; without one the plan is all of its nest.
	Band *facts.Band
	// Estimate is what the plan is estimated to take, nil where nobody has estimated it.
	Estimate *Estimate
}

// Estimate is what some loops are estimated to take, and what they would take without a strategy:
// accesses to a cache that share no vector and no thread with others, for each iteration.
type Estimate struct {
	Cost    float64 `json:"cost"`
	Without float64 `json:"without"`
}

// Decision is a strategy's answer at one place.
type Decision struct {
	// Node is the place: the name of a class, or the loops of a band, or statements in braces.
	Node     string    `json:"node"`
	Place    Place     `json:"place"`
	Strategy string    `json:"strategy"`
	Taken    bool      `json:"taken"`
	Reason   Reason    `json:"reason,omitempty"`
	Estimate *Estimate `json:"estimate,omitempty"`
}

func (d Decision) String() string {
	answer := "no"
	if d.Taken {
		answer = "yes"
	}
	text := fmt.Sprintf("%s: %s: %s", d.Node, d.Strategy, answer)
	if d.Reason != "" {
		text += ": " + string(d.Reason)
	}
	if d.Estimate != nil {
		text += fmt.Sprintf(" (estimated cost %.3g, without it %.3g)", d.Estimate.Cost, d.Estimate.Without)
	}
	return text
}

// choose asks the strategies of a place in their order, and takes the first that has a plan: its
// commands are appended to the recipe. It is nil where none has one. All answers are recorded, in
// front of those of what is inside.
func (p *planner) choose(place Place, name string, view View) (*Plan, error) {
	view.planner = p
	for _, s := range p.driver.strategies {
		if s.Place != place {
			continue
		}
		plan, err := p.consider(s, name, view)
		if plan != nil || err != nil {
			return plan, err
		}
	}
	return nil, nil
}

// consider asks a strategy, unless it is left out.
func (p *planner) consider(s Strategy, name string, view View) (*Plan, error) {
	if slices.Contains(p.options.Skip, s.Name) {
		p.record(Decision{Node: name, Place: s.Place, Strategy: s.Name, Reason: "left out by --without " + Reason(s.Name)}, nil)
		return nil, nil
	}
	return p.ask(s, name, view)
}

// ask tries one strategy. Of one that is not taken nothing stays but its answer and the integer
// programs that were solved for it.
func (p *planner) ask(s Strategy, name string, view View) (*Plan, error) {
	node := view.node
	if node != nil {
		copied := *node
		view.node = &copied
	}
	var plan *Plan
	var reason Reason
	commands, inside, err := p.collect(func() (err error) {
		plan, reason, err = s.Try(view)
		return err
	})
	if err != nil {
		return nil, err
	}
	answer := Decision{Node: name, Place: s.Place, Strategy: s.Name, Taken: plan != nil, Reason: reason}
	if plan == nil {
		p.record(answer, nil)
		return nil, nil
	}
	answer.Estimate = plan.Estimate
	p.record(answer, &inside)
	if node != nil {
		*node = *view.node
	}
	plan.Commands = commands
	p.recipe = append(p.recipe, commands...)
	return plan, nil
}

// collect has the commands that something emits, without appending them to the recipe, and what it
// says of how it found them.
func (p *planner) collect(emit func() error) ([]schedule.Command, Explanation, error) {
	begin, before := len(p.recipe), p.explanation
	p.explanation = Explanation{}
	err := emit()
	commands, said := slices.Clone(p.recipe[begin:]), p.explanation
	p.recipe, p.explanation = p.recipe[:begin], before
	p.explanation.Programs = slices.Concat(before.Programs, said.Programs)
	if err != nil {
		p.adopt(said)
	}
	return commands, said, err
}

// keep appends commands that were collected, and takes over what was said of them.
func (p *planner) keep(commands []schedule.Command, said Explanation) {
	p.recipe = append(p.recipe, commands...)
	p.adopt(said)
}

// record records a decision, and what was said of the inside of a plan that is taken.
func (p *planner) record(d Decision, inside *Explanation) {
	if slog.Default().Enabled(context.Background(), slog.LevelDebug) {
		slog.Debug("decision", "node", d.Node, "strategy", d.Strategy, "taken", d.Taken, "reason", string(d.Reason))
	}
	p.explanation.Decisions = append(slices.Clip(p.explanation.Decisions), d)
	if inside != nil {
		p.adopt(*inside)
	}
}

// adopt takes over what was said of commands that stay, but for the integer programs, which are
// there already.
func (p *planner) adopt(said Explanation) {
	p.explanation.Decisions = slices.Concat(p.explanation.Decisions, said.Decisions)
	p.explanation.Lazy = p.explanation.Lazy || said.Lazy
	p.explanation.Original = p.explanation.Original || said.Original
}

// StrategyNamed finds a strategy.
func StrategyNamed(name string) (Strategy, error) {
	k := slices.IndexFunc(Strategies, func(s Strategy) bool { return s.Name == name })
	if k < 0 {
		var names []string
		for _, s := range Strategies {
			names = append(names, s.Name)
		}
		return Strategy{}, fmt.Errorf("there is no strategy %q; there are %s (tune strategies says what they do)", name, strings.Join(names, ", "))
	}
	return Strategies[k], nil
}

// axisNamed is one of the models' axes.
func axisNamed(name string) *variant.Axis {
	axes := Axes()
	k := slices.IndexFunc(axes, func(a variant.Axis) bool { return a.Name == name })
	return &axes[k]
}
