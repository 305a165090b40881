package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// docs is where the results and the page are.
const docs = "../../docs"

// committed are the results and notes that are published.
func committed(t *testing.T) (*data, []note) {
	t.Helper()
	d, err := load(filepath.Join(docs, "peers.json"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := readNotes(filepath.Join(docs, "peers-notes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return d, all
}

// The published page is made of the published results.
func TestCommittedPage(t *testing.T) {
	d, all := committed(t)
	page, err := os.ReadFile(filepath.Join(docs, "peers.md"))
	if err != nil {
		t.Fatal(err)
	}
	hand, err := loadAny(filepath.Join(docs, "peers-by-hand.json"))
	if err != nil {
		t.Fatal(err)
	}
	algorithms, err := loadAny(filepath.Join(docs, "peers-algorithms.json"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := loadAny(filepath.Join(docs, "peers-tiramisu.json"))
	if err != nil {
		t.Fatal(err)
	}
	if wholePage(d, hand, algorithms, theirs, all) != string(page) {
		t.Error("docs/peers.md is not the page of docs/peers.json, docs/peers-by-hand.json, docs/peers-algorithms.json, docs/peers-tiramisu.json and docs/peers-notes.yaml; go run ./cmd/peers -render makes it")
	}
}

// The published picture is made of the published results, and has a bar for each kernel.
func TestCommittedPicture(t *testing.T) {
	d, _ := committed(t)
	svg, err := d.bars()
	if err != nil {
		t.Fatal(err)
	}
	if file, err := os.ReadFile(filepath.Join(docs, picture)); err != nil || string(file) != string(svg) {
		t.Errorf("%s is not the picture of docs/peers.json; go run ./cmd/peers -render makes it: %v", picture, err)
	}
	if count := strings.Count(string(svg), "<rect "); count != len(d.Kernels) {
		t.Errorf("%d bars of %d kernels", count, len(d.Kernels))
	}
}

// Kernels that are slower hang below the line, those without a time have no bar, and without any
// there is no picture.
func TestBars(t *testing.T) {
	d := &data{Peers: []entry{{Name: reference, Kind: compiler}, {Name: untuned, Kind: own}}, Kernels: []kernel{
		{Name: "a/fast", Results: []result{{Peer: reference, Status: ok, Seconds: []float64{8}}, {Peer: untuned, Status: ok, Seconds: []float64{1}}}},
		{Name: "a/slow<", Results: []result{{Peer: reference, Status: ok, Seconds: []float64{1}}, {Peer: untuned, Status: ok, Seconds: []float64{2}}}},
		{Name: "a/none"},
	}}
	svg, err := d.bars()
	if text := string(svg); err != nil || strings.Count(text, "<rect ") != 2 || !strings.Contains(text, `class="bar slower"`) || !strings.Contains(text, "<title>slow&lt;: 0.5</title>") || !strings.Contains(text, ">geometric mean 2.0x<") {
		t.Errorf("%v:\n%s", err, text)
	}
	if svg, err := (&data{}).bars(); svg != nil || err != nil {
		t.Errorf("%s, %v", svg, err)
	}
}

// The published claims hold: polytune's results are right, it is never slower
// than the best peer by more than 5% beyond the stated exceptions, and wherever it
// is not 1.2 times as fast there is a reason; nothing is claimed of a part of
// PolyBench, but that the results are right on a busy machine.
func TestCommittedClaims(t *testing.T) {
	d, all := committed(t)
	for _, problem := range d.problems(all) {
		t.Error(problem)
	}
	if missing := d.unmeasured(); len(missing) > 0 && !d.isBusy() {
		t.Errorf("%v are not measured", missing)
	}
	for _, n := range all {
		if d.kernel(n.Kernel) == nil {
			t.Errorf("there is a note about %s, which is not measured", n.Kernel)
		}
	}
	for _, e := range d.Peers {
		for _, k := range d.Kernels {
			if r := k.of(e.Name); e.Kind == own && r != nil && r.Status != ok {
				t.Errorf("%s of %s: %s, %s", e.Name, k.Name, r.Status, r.Detail)
			}
			if r := k.of(e.Name); r != nil && strings.Contains(r.Detail, os.TempDir()) {
				t.Errorf("%s of %s: the message has the name of a temporary folder: %s", e.Name, k.Name, r.Detail)
			}
		}
	}
}
