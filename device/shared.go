package device

import (
	"fmt"
	"strings"

	"polytune/scop/boxes"
)

// asks has a kernel whose copies do not fit into the shared memory that CUDA gives blocks on all
// devices ask for all of it, where each begins at a multiple of a vector's size.
func (p *kernelText) asks() {
	if !p.language.AsksForShared || p.kernel.SharedBytes <= boxes.MostShared {
		return
	}
	for _, m := range p.kernel.Boxes {
		if m.Memory.IsShared() {
			bytes := boxes.Bytes(m, int64(p.arrays[m.Array].Size))
			p.kernel.Asked += roundedUp(bytes, vectorBytes)
			p.kernel.SharedBytes += roundedUp(bytes, vectorBytes) - bytes
		}
	}
}

// sharedText declares what is in shared memory: what the launch asks for is one array.
func (p *kernelText) sharedText() string {
	var b strings.Builder
	if p.kernel.Asked > 0 {
		fmt.Fprintf(&b, "  TUNE_SHARED(tune_shared, %d);\n", p.kernel.Asked)
	}
	place := int64(0)
	for _, m := range p.kernel.Boxes {
		switch {
		case !m.Memory.IsShared():
		case p.kernel.Asked > 0:
			fmt.Fprintf(&b, "  %s = *(%s) (tune_shared + %d);\n", p.declarationOf("(&"+p.memoryName(m)+")", m), p.declarationOf("(*)", m), place)
			place += roundedUp(boxes.Bytes(m, int64(p.arrays[m.Array].Size)), vectorBytes)
		default:
			fmt.Fprintf(&b, "  %s%s;\n", p.language.Shared, p.declaration(m))
		}
	}
	return b.String()
}

// asksFor are the bytes of shared memory that the launch of a kernel asks for, with a comma in
// front; "" for none.
func (k *Kernel) asksFor() string {
	if k.Asked == 0 {
		return ""
	}
	return fmt.Sprintf(", %d", k.Asked)
}

// MostShared is the largest number of bytes of shared memory of a kernel.
func (v runtimeView) MostShared() (most int64) {
	for _, k := range v.Kernels {
		most = max(most, k.SharedBytes)
	}
	return most
}

// AsksForShared says that some kernel asks for shared memory.
func (v runtimeView) AsksForShared() bool {
	for _, k := range v.Kernels {
		if k.Asked > 0 {
			return true
		}
	}
	return false
}
