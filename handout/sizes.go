package handout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"polytune/codegen"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/store"
)

// ChoiceBySizes is the code that takes a region's place and chooses among results by the values of
// the region's parameters. ids are the machines that matter, none where all results are of one;
// code is what takes the region's place for one result.
func ChoiceBySizes(t *pipeline.Target, d *codegen.Dispatcher, results []store.Best, ids []string, code func(store.Best) (string, error)) (string, error) {
	names, err := sizeNames(t)
	if err != nil {
		return "", err
	}
	var sizes []codegen.Size
	var alternatives []codegen.Alternative
	place := map[string]int{}
	for _, b := range fastest(results) {
		size := codegen.Size{Machine: 1 + slices.Index(ids, b.Machine)}
		if size.Values, err = valuesAt(t, b.Size, names); err != nil {
			return "", err
		}
		sizes = append(sizes, size)
		id, _ := store.SplitVariant(b.Variant.ID)
		if id == store.Original {
			continue
		}
		at, known := place[id]
		if !known {
			text, err := code(b)
			if err != nil {
				return "", fmt.Errorf("variant %s: %w", b.Variant.ID, err)
			}
			at = len(alternatives)
			place[id], alternatives = at, append(alternatives, codegen.Alternative{Code: text})
		}
		alternatives[at].Machines = append(alternatives[at].Machines, len(sizes))
	}
	setLeast(sizes, alternatives)
	region := t.Region
	return d.ChoiceBySize(alternatives, sizes, names, region.AsWritten(t.File.Source), region.Indent), nil
}

// fastest are the results, of several for one size and machine the first.
func fastest(results []store.Best) (list []store.Best) {
	for _, b := range results {
		isSame := func(other store.Best) bool { return other.Size == b.Size && other.Machine == b.Machine }
		if !slices.ContainsFunc(list, isSame) {
			list = append(list, b)
		}
	}
	return list
}

// setLeast sets for each machine the product of the values of the least size that gains.
func setLeast(sizes []codegen.Size, alternatives []codegen.Alternative) {
	least := map[int]float64{}
	for _, a := range alternatives {
		for _, number := range a.Machines {
			s := sizes[number-1]
			product := 1.0
			for _, v := range s.Values {
				product *= float64(v)
			}
			if known, is := least[s.Machine]; !is || product < known {
				least[s.Machine] = product
			}
		}
	}
	for k := range sizes {
		sizes[k].Least = least[sizes[k].Machine]
	}
}

// sizeNames are the parameters that the region's loops depend on.
func sizeNames(t *pipeline.Target) (names []string, err error) {
	for _, name := range t.Unit.Program.Parameters {
		if slices.Contains(t.Parameters(), name) {
			names = append(names, name)
		}
	}
	if t.IsProgram || len(names) == 0 {
		return nil, usage.Mistake(fmt.Errorf("%s has no size parameters to choose by; leave out --dispatch sizes", t.Name))
	}
	return names, nil
}

// valuesAt are the values of parameters at a size.
func valuesAt(t *pipeline.Target, size string, names []string) ([]int, error) {
	known := map[string]int{}
	var err error
	if strings.Contains(size, "=") {
		known, err = pipeline.ParseParameters(strings.ReplaceAll(size, " ", ","))
	} else if t.Benchmark != nil {
		known, err = t.Benchmark.Size(size)
	}
	if err != nil {
		return nil, err
	}
	var values []int
	for _, name := range names {
		if known[name] <= 0 {
			return nil, fmt.Errorf("%s: the size %s gives %s no value above zero to choose by", t.Name, size, name)
		}
		values = append(values, known[name])
	}
	return values, nil
}

// EmitBySizes is the program that chooses among the best variants for all sizes, on this machine or,
// where machines matter, on all of them.
func (o *EmitOptions) EmitBySizes(ctx context.Context, known []Known) ([]byte, error) {
	var ids []string
	var machines []codegen.Machine
	var err error
	if o.Dispatch.Machines {
		if ids, machines, err = machinesOf(known); err != nil {
			return nil, err
		}
	}
	dispatcher := codegen.NewDispatcher(machines, known[0].Target.Region.Names)
	source, err := o.Replace(known, func(k Known) ([]byte, error) {
		text, err := ChoiceBySizes(k.Target, dispatcher, k.Results, ids, func(b store.Best) (string, error) { return k.code(ctx, b) })
		return k.Target.Region.Replace(k.Target.File.Source, text), err
	})
	if err != nil {
		return nil, err
	}
	behind := ""
	if o.LineDirectives {
		behind = pipeline.LineDirective(1, known[0].Target.LinePath()) + "\n"
	}
	return dispatcher.Complete(source, behind)
}

// Dispatch says by what a program chooses among results when it runs.
type Dispatch struct{ Machines, Sizes bool }

// IsOn says that it chooses at all.
func (d Dispatch) IsOn() bool { return d.Machines || d.Sizes }

// String is what Set reads.
func (d Dispatch) String() string {
	var words []string
	if d.Machines {
		words = append(words, "machines")
	}
	if d.Sizes {
		words = append(words, "sizes")
	}
	return strings.Join(words, ",")
}

// Set reads "machines", "sizes", or both with a comma between them.
func (d *Dispatch) Set(text string) error {
	*d = Dispatch{}
	for word := range strings.SplitSeq(text, ",") {
		switch word {
		case "machines", "true":
			d.Machines = true
		case "sizes":
			d.Sizes = true
		case "false":
		default:
			return fmt.Errorf("a program chooses by machines, sizes or machines,sizes, not by %q", word)
		}
	}
	return nil
}

// Type is what the flag's help calls it.
func (d *Dispatch) Type() string { return "choice" }
