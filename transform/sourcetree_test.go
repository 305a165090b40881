package transform

import (
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
)

// The command original makes the tree that classes, bands and splits of the source's loops make.
func TestOriginalIsTheSource(t *testing.T) {
	for _, b := range kerneltest.Some() {
		g := kerneltest.Graph(t, b.Name)
		p := g.Model.Program
		_, rows, err := Original(g.Model)
		if err != nil {
			t.Fatal(err)
		}
		want, err := rows.Replay(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := append(command.Beginning(p), command.Original{}).Replay(p)
		if err != nil {
			t.Fatalf("%s: %v", b.Name, err)
		}
		same, err := got.Schedule(g.Model).Tree.PlainIsEqual(want.Schedule(g.Model).Tree)
		if err != nil || !same {
			t.Errorf("%s: %v\n%s\nand not\n%s", b.Name, err, got.Schedule(g.Model), want.Schedule(g.Model))
		}
		if a, b := loopNames(got), loopNames(want); a != b {
			t.Errorf("the loops are%s, and not%s", a, b)
		}
	}
}

// loopNames are the names of a tree's loops, with blanks in front.
func loopNames(tree *schedule.Tree) (names string) {
	tree.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			names += " " + l.Name
		}
		return true
	})
	return names
}
