package report

import (
	"fmt"
	"strings"

	"polytune/scop"
	"polytune/transform"
)

// ReferenceExplanation is a reference of the source.
type ReferenceExplanation struct {
	Statement string `json:"statement"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	// Text is that of the reference in C.
	Text string `json:"text"`
}

// String is the place and the text: "a[i][j] (f.c:7:9)".
func (r ReferenceExplanation) String() string { return fmt.Sprintf("%s (%s)", r.Text, r.place()) }

func (r ReferenceExplanation) place() string {
	return fmt.Sprintf("%s:%d:%d", r.File, r.Line, r.Column)
}

// ObstacleExplanation is what keeps the iterations of a loop in order.
type ObstacleExplanation struct {
	Array string `json:"array"`
	// Kind is that of the dependence: RAW, WAR or WAW.
	Kind   string               `json:"kind"`
	Source ReferenceExplanation `json:"source"`
	Target ReferenceExplanation `json:"target"`
	// Iterator is that of the loop in the source whose iterations order the two references, "" for
	// none, Distance how many iterations lie between them, 0 where that is not always the same.
	Iterator string `json:"iterator"`
	Distance int64  `json:"distance"`
	// Reduction says how all references update the array, as in "+", "" where they do something
	// else.
	Reduction scop.Operator `json:"reduction"`
	// Because is "values" where each iteration may need what an earlier one has computed, "memory"
	// where it only uses the same memory again, "overwriting" where it changes what an earlier one
	// has read, and "unknown" where nobody knows which elements are touched.
	Because string `json:"because"`
	// FreedBy are flags that take the dependences of this obstacle away.
	FreedBy []string `json:"freed_by"`
}

// The reasons of ObstacleExplanation.Because.
const (
	ForValues      = "values"
	ForMemory      = "memory"
	ForOverwriting = "overwriting"
	ForUnknown     = "unknown"
)

// CSource is where the references of a program stand.
type CSource struct {
	// File is its name for people.
	File string
	// ReferenceAt is the text of the reference at a line and a column, "" where there is none.
	ReferenceAt func(line, column int) string
}

// reference explains a reference.
func (s CSource) reference(p *scop.Program, r transform.Reference) ReferenceExplanation {
	statement := &p.Statements[r.Statement]
	access := statement.Accesses[r.Access]
	e := ReferenceExplanation{Statement: statement.Spelling(), File: s.File, Line: access.Line, Column: access.Column}
	if access.Line == 0 {
		e.Line, e.Column = statement.Line, statement.Column
	}
	array := access.Array
	if a := p.Array(array); a != nil {
		array = a.Spelling()
	}
	if s.ReferenceAt != nil && access.Line > 0 {
		e.Text = s.ReferenceAt(e.Line, e.Column)
	}
	if e.Text == "" {
		e.Text = array
	}
	return e
}

// Obstacle explains an obstacle in a program.
func (s CSource) Obstacle(p *scop.Program, o transform.Obstacle) ObstacleExplanation {
	e := ObstacleExplanation{Array: o.Array, Kind: o.Kind.String(), Distance: o.Distance, Because: because(o),
		Source: s.reference(p, o.Source), Target: s.reference(p, o.Target), FreedBy: []string{}}
	if a := p.Array(o.Array); a != nil {
		e.Array = a.Spelling()
	}
	statement := &p.Statements[o.Target.Statement]
	if o.Depth > 0 {
		e.Iterator = statement.Loops[o.Depth-1].Iterator
	}
	if o.Updates {
		e.Reduction = statement.Reduction.At(o.Target.Access).Operator
	}
	return e
}

// because is the reason of an obstacle.
func because(o transform.Obstacle) string {
	switch {
	case o.Unknown:
		return ForUnknown
	case o.Values:
		return ForValues
	case o.Before:
		return ForOverwriting
	}
	return ForMemory
}

// String says what is in the way, and where.
func (o ObstacleExplanation) String() string { return o.text(o.Target.String()) }

// text is String with a text for the target.
func (o ObstacleExplanation) text(target string) string {
	switch {
	case o.Reduction != "" && o.Source.isLike(o.Target):
		return fmt.Sprintf("each iteration of %s updates %s, %s", o.Iterator, target, reductionNames[o.Reduction])
	case o.Reduction != "":
		return fmt.Sprintf("iterations of %s update %s and %s, %s", o.Iterator, o.Source, target, reductionNames[o.Reduction])
	case o.Because == ForUnknown:
		return fmt.Sprintf("%s may be the element of %s %s: which elements they are is known only when it runs", target, o.Source, o.later())
	case o.Because == ForMemory:
		return fmt.Sprintf("%s uses the memory of %s again %s, for other values", target, o.Source, o.later())
	}
	return fmt.Sprintf("%s %s what %s %s %s", o.Source, verbs[o.Kind][0], target, verbs[o.Kind][1], o.later())
}

// isLike says whether two references of one statement have the same text.
func (r ReferenceExplanation) isLike(other ReferenceExplanation) bool {
	return r.Statement == other.Statement && r.Text == other.Text
}

// verbs are what source and target of a dependence do.
var verbs = map[string][2]string{"RAW": {"writes", "reads"}, "WAR": {"reads", "overwrites"}, "WAW": {"writes", "overwrites"}}

// reductionNames say what a reduction is.
var reductionNames = map[scop.Operator]string{scop.Sum: "a sum", scop.Product: "a product", scop.Minimum: "a minimum", scop.Maximum: "a maximum"}

// later is how much later the target runs.
func (o ObstacleExplanation) later() string {
	switch {
	case o.Iterator == "":
		return "afterwards"
	case o.Distance == 1:
		return "in the next iteration of " + o.Iterator
	case o.Distance > 1:
		return fmt.Sprintf("%d iterations of %s later", o.Distance, o.Iterator)
	}
	return "in a later iteration of " + o.Iterator
}

// remedy says what would free the loop of the obstacle, or that nothing does.
func (o ObstacleExplanation) remedy() string {
	switch {
	case len(o.FreedBy) > 0:
		return "free with " + strings.Join(o.FreedBy, " or ")
	case o.Because == ForValues && o.Reduction == "":
		return "nothing frees it"
	case o.Because == ForOverwriting:
		return "no value goes from one to the other: results in memory of their own would lift this"
	}
	return ""
}

// shownObstacles is the number of obstacles of a loop that are printed.
const shownObstacles = 2

// obstacleLines are what is printed of a loop's obstacles.
func obstacleLines(obstacles []ObstacleExplanation) (lines []string) {
	for k, o := range obstacles {
		if k == shownObstacles {
			return append(lines, fmt.Sprintf("and %d more, through %s", len(obstacles)-k, arraysOf(obstacles[k:])))
		}
		text := o.String()
		if remedy := o.remedy(); remedy != "" {
			text += "; " + remedy
		}
		lines = append(lines, text)
	}
	return lines
}

func arraysOf(obstacles []ObstacleExplanation) string {
	var names []string
	for _, o := range obstacles {
		names = append(names, o.Array)
	}
	return strings.Join(names, ", ")
}
