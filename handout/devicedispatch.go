package handout

import (
	"context"
	"fmt"
	"slices"

	"polytune/codegen"
	"polytune/runner"
	"polytune/store"
)

// onDevice is a variant for a device that is the best on some machines, which their numbers name.
type onDevice struct {
	best     store.Best
	machines []int
}

// withDevices is the program with kernels in the place of a region on the machines where they are
// the fastest. Elsewhere, and where the program finds no device, processors choose among the
// variants that other knows.
func (o *EmitOptions) withDevices(ctx context.Context, dispatcher *codegen.Dispatcher, ids []string, k, other Known) ([]byte, error) {
	code, err := other.choice(ctx, dispatcher, ids)
	if err != nil {
		return nil, err
	}
	variants, err := k.fasterOnDevices(ids, &other, o.Best.Any)
	if err != nil {
		return nil, err
	}
	if len(variants) == 0 {
		fmt.Fprintf(k.notes, "%s: note: no kernels are faster than what processors have, and none are in the program; --any takes them\n", k.Target.Name)
	}
	var behind []byte
	for _, v := range variants {
		at := *k.Target
		at.Unit.Original, at.Unit.When = code, dispatcher.Is(v.machines)
		placed, err := (&Known{&at, k.Results, k.Origins, k.Contenders, k.settings, k.notes}).emitNoted(ctx, v.best)
		if err != nil {
			return nil, fmt.Errorf("variant %s: %w", v.best.Variant.ID, err)
		}
		program, functions := runner.WithoutDevice(string(placed.Source))
		code = program[at.Region.PragmaStart : len(program)-(len(at.File.Source)-at.Region.PragmaEnd)]
		behind = append(behind, functions...)
		o.Kernels, o.Suffix = append(o.Kernels, placed.Device.Text...), placed.Device.Suffix
	}
	return append(k.Target.Region.Replace(k.Target.File.Source, code), behind...), nil
}

// fasterOnDevices are the variants with kernels that are faster than the original and than the best
// variant for processors on the same machine, or all that are the best of a device where any are
// wanted. A machine without results for processors has its original.
func (k *Known) fasterOnDevices(ids []string, processors *Known, isAny bool) (list []onDevice, err error) {
	for number, id := range ids {
		best, err := k.bestOn(id)
		if err != nil {
			return nil, err
		}
		if best == nil || store.IsOriginal(best.Variant.ID) {
			continue
		}
		processor, err := processors.bestOn(id)
		if err != nil {
			return nil, err
		}
		if processor != nil && processor.Size != best.Size {
			return nil, fmt.Errorf("on machine %s: the results of devices are for size %s, and those of processors for %s; choose one with --size or --param", id, best.Size, processor.Size)
		}
		isFaster := best.Summary.Speedup.Median > 1 && (processor == nil || best.Summary.Seconds.Median < processor.Summary.Seconds.Median)
		if !isFaster && !isAny {
			continue
		}
		at := slices.IndexFunc(list, func(v onDevice) bool { return v.best.Variant.ID == best.Variant.ID })
		if at < 0 {
			at, list = len(list), append(list, onDevice{best: *best})
		}
		list[at].machines = append(list[at].machines, number+1)
	}
	return list, nil
}
