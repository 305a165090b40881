package device

import (
	"slices"

	"polytune/loopir"
)

// storedTo is the array to which a box is stored: a second grid where it has one.
func (p *kernelText) storedTo(b *loopir.Box) *Array {
	array := p.arrays[b.Of.Array]
	if !b.Swapped {
		return array
	}
	return p.secondOf(array)
}

// secondOf is the second grid of an array, which takes the first one's place behind the kernel.
func (p *kernelText) secondOf(array *Array) *Array {
	if k := slices.IndexFunc(p.used, func(a *Array) bool { return a.SecondOf == array }); k >= 0 {
		return p.used[k]
	}
	named := *array.Array
	named.Name = "tune_second_" + array.Name
	return &Array{Array: &named, Extents: array.Extents, SecondOf: array}
}

// swaps says whether the kernel stores to second grids.
func (k *Kernel) swaps() bool {
	return slices.ContainsFunc(k.Arrays, func(a *Array) bool { return a.SecondOf != nil })
}

// Swaps says that some kernel stores to second grids.
func (v runtimeView) Swaps() bool {
	return slices.ContainsFunc(v.Kernels, func(k kernelView) bool { return k.swaps() })
}

// Places is the number of grids of arrays that a kernel uses, at most.
func (v runtimeView) Places() int {
	if v.Swaps() {
		return 2 * len(v.Arrays)
	}
	return len(v.Arrays)
}

// Swapped are the numbers of the arrays to whose second grids each kernel stores.
func (v runtimeView) Swapped() (list [][]int) {
	for _, uses := range v.Uses {
		var own []int
		for k := 0; k < len(uses); k += 2 {
			if uses[k+1] == 2 {
				own = append(own, uses[k])
			}
		}
		list = append(list, own)
	}
	return list
}

// usesOf are the numbers of the arrays of a kernel, each with what it does with it: 0 where it reads
// it, 1 where it writes it, and 2 where it stores to its second grid.
func (h *host) usesOf(kernel *Kernel) (uses []int) {
	for _, a := range kernel.Arrays {
		switch {
		case a.SecondOf != nil:
			uses = append(uses, slices.Index(h.list, a.SecondOf), 2)
		case kernel.Written[a.Name]:
			uses = append(uses, slices.Index(h.list, a), 1)
		default:
			uses = append(uses, slices.Index(h.list, a), 0)
		}
	}
	return uses
}
