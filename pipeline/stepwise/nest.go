package stepwise

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
)

// nest writes the loops of a tree, an inner one behind an outer one:
//
//	for S0.i (c0.1), 64 times, parallel: on 8 threads
//	  for S0.j (c0.2), 64 times
//	    S0: C[i][j] = 0;
type nest struct {
	strings.Builder
	tree    *schedule.Tree
	telling schedule.Telling
	// trips are the mean numbers of iterations, by the loops' own names.
	trips map[string]float64
}

// nestText is the text of a tree's loops; trips may be nil.
func nestText(tree *schedule.Tree, trips map[string]float64, threads int) string {
	n := &nest{tree: tree, telling: schedule.Telling{Program: tree.Program, Threads: threads}, trips: trips}
	n.nodes(tree.Classes, 0)
	return strings.TrimSuffix(n.String(), "\n")
}

// nodes writes what runs one after the other.
func (n *nest) nodes(nodes []*schedule.Node, depth int) {
	for _, node := range nodes {
		n.node(node, depth)
	}
}

func (n *nest) node(node *schedule.Node, depth int) {
	for _, l := range node.Loops {
		n.line(depth, n.loop(l))
		depth++
	}
	if len(node.Parts) > 0 {
		n.nodes(node.Parts, depth)
		return
	}
	for _, s := range node.Statements {
		statement := &n.tree.Program.Statements[s]
		n.line(depth, statement.Spelling()+": "+shortened(statement.Source))
	}
}

// mostLetters bounds the text of a statement.
const mostLetters = 60

// shortened is the beginning of a statement in one line.
func shortened(source string) string {
	text := []rune(strings.Join(strings.Fields(source), " "))
	if len(text) > mostLetters {
		return string(text[:mostLetters]) + " …"
	}
	return string(text)
}

func (n *nest) line(depth int, text string) {
	fmt.Fprintf(n, "%s%s\n", strings.Repeat("  ", depth), text)
}

// loop is a loop with its names, how often it runs, and what has been done to it.
func (n *nest) loop(l *schedule.Loop) string {
	text := "for " + strings.Join(slices.Compact(append(n.tree.NamesOf(l), "("+l.Name+")")), " ")
	if trips, is := n.trips[l.Name]; is {
		text += fmt.Sprintf(", %g times", math.Round(trips*10)/10)
	}
	if l.Shifted {
		text += ", shifted"
	}
	for _, m := range l.Marks {
		word, _, _ := strings.Cut(m.String(), " ")
		text += ", " + word
	}
	if said := command.All.Say(l, n.telling); len(said) > 0 {
		text += ": " + strings.Join(said, "; ")
	}
	return text
}
