package runner

import (
	"fmt"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/internal/pattern"
	"polytune/scop"
)

// identifiers finds the names in C expressions.
var identifiers = pattern.New(`[A-Za-z_][A-Za-z0-9_]*`)

// firstValues is C code for a region that changes what its program's subscripts are made of, as
// *p++ = 0 changes p: in front of the region it keeps the first values, and behind it they have the
// names of the variables.
func firstValues(region *frontend.Region) (keep, restore string) {
	program := region.Program
	var names []string
	for _, p := range program.Parameters {
		names = append(names, identifiers.FindAllString(program.Spelling(p), -1)...)
	}
	written := map[string]bool{}
	for i := range program.Arrays {
		array := &program.Arrays[i]
		base := identifiers.FindString(array.Spelling())
		if isScalar(array) {
			written[base] = true
			continue
		}
		names = append(names, base)
		for _, extent := range array.Extents {
			names = append(names, identifiers.FindAllString(extent, -1)...)
		}
	}
	slices.Sort(names)
	var kept, restored strings.Builder
	for _, name := range slices.Compact(names) {
		if region.MayChange(name) && !written[name] {
			fmt.Fprintf(&kept, "__typeof__(%s) %sfirst_%s __attribute__((unused)) = %s;\n", name, watchPrefix, name, name)
			fmt.Fprintf(&restored, "__typeof__(%sfirst_%s) %s __attribute__((unused)) = %sfirst_%s;\n", watchPrefix, name, name, watchPrefix, name)
		}
	}
	return kept.String(), restored.String()
}

// isScalar says that an array is a variable of its own, whose value the region may leave.
func isScalar(a *scop.Array) bool { return len(a.Extents) == 0 && a.Path == "" }
