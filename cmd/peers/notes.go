package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
)

// note says why polytune is not much faster than the best peer for a kernel.
type note struct {
	Kernel string `yaml:"kernel"`
	Reason string `yaml:"reason"`
	// Slower is the stated exception: how many times the best peer's time
	// polytune may take; 0 where it may not take longer than tolerated.
	Slower float64 `yaml:"slower"`
}

const (
	// expected is how many times as fast as its best peer polytune should be:
	// below that there must be a reason.
	expected = 1.2
	// tolerated is how many times the best peer's time polytune may take
	// without being called slower.
	tolerated = 1.05
)

// readNotes reads the file of notes; without one there are none.
func readNotes(path string) ([]note, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the notes cannot be read: %w", err)
	}
	var all []note
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&all); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// noteOf is the note about a kernel, or nil.
func noteOf(all []note, kernel string) *note {
	for i := range all {
		if all[i].Kernel == kernel {
			return &all[i]
		}
	}
	return nil
}

// problems are what the notes do not say about the kernels that were measured,
// and what they say of them without need. Of a run on a busy machine nothing is
// claimed, and there is nothing to be said.
func (d *data) problems(all []note) []string {
	if d.isBusy() {
		return nil
	}
	var list []string
	for i := range d.Kernels {
		k := &d.Kernels[i]
		if text := d.problem(k, noteOf(all, k.Name)); text != "" {
			list = append(list, k.Name+": "+text)
		}
	}
	return list
}

// problem is what the note about one kernel, which may be missing, lacks; "" for
// nothing.
func (d *data) problem(k *kernel, n *note) string {
	ratio, compared := d.overPeer(k)
	name, _ := d.bestPeer(k)
	switch {
	case !compared:
		return "polytune has no result"
	case ratio >= expected && n != nil:
		return fmt.Sprintf("polytune is %.2f times as fast as the best peer, %s, and needs no note", ratio, name)
	case ratio >= expected:
		return ""
	case n == nil || n.Reason == "":
		return fmt.Sprintf("polytune is %.2f times as fast as the best peer, %s, and nothing says why it is not %.1f times", ratio, name, expected)
	case 1/ratio > max(n.Slower, tolerated):
		return fmt.Sprintf("polytune takes %.2f times as long as the best peer, %s, and at most %.2f is stated", 1/ratio, name, max(n.Slower, tolerated))
	}
	return ""
}

// failures are the results with a status, each as one line.
func (d *data) failures(s status) []string {
	var list []string
	for _, k := range d.Kernels {
		for _, r := range k.Results {
			if r.Status == s {
				list = append(list, fmt.Sprintf("%s, %s: %s", k.Name, r.Peer, firstLine(r.Detail)))
			}
		}
	}
	return list
}
