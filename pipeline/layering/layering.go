// Package layering makes the layers of a target and of a variant of it.
package layering

import (
	"context"
	"fmt"
	"io"

	"polytune/layers"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/pipeline/variant"
)

// Report are the layers that are asked for, as the JSON document has them.
type Report struct {
	Kernel        string                `json:"kernel"`
	Algorithm     *layers.Algorithm     `json:"algorithm,omitempty"`
	Order         *layers.Order         `json:"order,omitempty"`
	Data          *layers.Data          `json:"data,omitempty"`
	Communication *layers.Communication `json:"communication,omitempty"`
}

// Of makes one layer of a region, from 1 to 4, or all for 0. Without a variant there is the first
// one alone.
func Of(t *pipeline.Target, v *variant.Variant, layer int) (*Report, error) {
	c, _, end := limit.Context(context.Background(), limit.Last.Of(t.Source), nil)
	defer end()
	r := &Report{Kernel: t.Name}
	m, err := t.Source.Model(c)
	if err == nil && layer <= 1 {
		r.Algorithm, err = layers.AlgorithmOf(m)
	}
	if err != nil || v == nil {
		return r, err
	}
	recipe := v.Recipe
	if v.IsUnchanged() {
		if _, recipe, err = t.ReadRecipe("original\n"); err != nil {
			return nil, err
		}
	}
	tree, err := recipe.Replay(t.Unit.Program)
	if err != nil {
		return nil, err
	}
	if m, err = tree.Program.Model(c); err != nil {
		return nil, err
	}
	if layer == 0 || layer == 2 {
		r.Order, err = layers.OrderOf(m, tree)
	}
	if err == nil && (layer == 0 || layer == 3) {
		r.Data, err = layers.DataOf(m, tree)
	}
	if err == nil && (layer == 0 || layer == 4) {
		r.Communication, err = layers.CommunicationOf(m, tree)
	}
	return r, err
}

// Print prints the layers that there are, each with a heading where there are several.
func (r *Report) Print(w io.Writer, headings bool) error {
	text := ""
	add := func(heading string, layer fmt.Stringer) {
		if headings {
			text += "# " + heading + "\n"
		}
		text += layer.String()
	}
	if r.Algorithm != nil {
		add("Layer I: what is computed", r.Algorithm)
	}
	if r.Order != nil {
		add("Layer II: when and where", r.Order)
	}
	if r.Data != nil {
		add("Layer III: in which memory", r.Data)
	}
	if r.Communication != nil {
		add("Layer IV: with which operations", r.Communication)
	}
	_, err := io.WriteString(w, text)
	return err
}
