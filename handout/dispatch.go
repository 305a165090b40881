package handout

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"polytune/codegen"
	"polytune/pipeline"
	"polytune/store"
)

// EmitDispatch is the program with the best variants of all machines in place of the regions, and
// the choice among them. Where the results are a device's, processors are those that the same
// regions, in the same order, have on processors; nil without devices.
func (o *EmitOptions) EmitDispatch(ctx context.Context, known, processors []Known) ([]byte, error) {
	ids, machines, err := machinesOf(slices.Concat(known, processors))
	if err != nil {
		return nil, err
	}
	dispatcher := codegen.NewDispatcher(machines, known[0].Target.Region.Names)
	number := 0
	source, err := o.Replace(known, func(k Known) ([]byte, error) {
		number++
		if processors == nil {
			choice, err := k.choice(ctx, dispatcher, ids)
			return k.Target.Region.Replace(k.Target.File.Source, choice), err
		}
		other := processors[len(processors)-number]
		other.Target.SetFile(k.Target.File)
		return o.withDevices(ctx, dispatcher, ids, k, other)
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

// choice is the code that takes a region's place: the choice among the best variants for processors
// of all machines.
func (k *Known) choice(ctx context.Context, dispatcher *codegen.Dispatcher, ids []string) (string, error) {
	alternatives, err := k.alternatives(ctx, ids)
	if err != nil {
		return "", err
	}
	region := k.Target.Region
	return dispatcher.Choice(alternatives, region.AsWritten(k.Target.File.Source), region.Indent), nil
}

// machinesOf are the machines that have results, in the order of their ids.
func machinesOf(known []Known) (ids []string, machines []codegen.Machine, err error) {
	found := map[string]codegen.Machine{}
	for _, k := range known {
		for _, b := range k.Results {
			o, err := OriginOf(k.Origins[b.Trial])
			if err != nil {
				return nil, nil, err
			}
			found[b.Machine] = codegen.Machine{ID: b.Machine, Name: o.machine.Name, Processor: o.machine.CPU, Cores: o.machine.Cores}
		}
	}
	ids = slices.Sorted(maps.Keys(found))
	for _, id := range ids {
		machines = append(machines, found[id])
	}
	return ids, machines, nil
}

// alternatives are the variants that are the fastest on some machine, with the
// numbers of these machines. Where the original is, it needs no alternative.
func (k *Known) alternatives(ctx context.Context, ids []string) ([]codegen.Alternative, error) {
	var list []codegen.Alternative
	place := map[string]int{}
	for number, id := range ids {
		best, err := k.bestOn(id)
		if err != nil {
			return nil, err
		}
		if best == nil {
			continue
		}
		// Machines with one variant share it, whichever compilers were the best there.
		id, _ := store.SplitVariant(best.Variant.ID)
		if id == store.Original {
			continue
		}
		at, known := place[id]
		if !known {
			code, err := k.code(ctx, *best)
			if err != nil {
				return nil, fmt.Errorf("variant %s: %w", best.Variant.ID, err)
			}
			at = len(list)
			place[id], list = at, append(list, codegen.Alternative{Code: code})
		}
		list[at].Machines = append(list[at].Machines, number+1)
	}
	return list, nil
}

// bestOn is the best result on a machine, nil where there is none.
func (k *Known) bestOn(machine string) (*store.Best, error) {
	on := *k
	on.Results = slices.DeleteFunc(slices.Clone(k.Results), func(b store.Best) bool { return b.Machine != machine })
	if len(on.Results) == 0 {
		return nil, nil
	}
	if err := on.oneSize(); err != nil {
		return nil, fmt.Errorf("on machine %s: %w", machine, err)
	}
	return &on.Results[0], nil
}

// code is the text that takes the region's place.
func (k *Known) code(ctx context.Context, b store.Best) (string, error) {
	placed, err := k.emitNoted(ctx, b)
	if err != nil {
		return "", err
	}
	return placed.Code(k.Target), nil
}
