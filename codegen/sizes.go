package codegen

import (
	"fmt"
	"strings"
)

// Size is a size at which something is known to be the best.
type Size struct {
	// Machine is the number of one of a Dispatcher's machines, from 1; 0 where machines do not
	// matter.
	Machine int
	// Values are those of the parameters, all of them above zero.
	Values []int
	// Least is the product of the values of the least size at which something is faster than the
	// original: below that the original runs.
	Least float64
}

// ChoiceBySize is the code that takes a region's place and chooses by its parameters, which have
// these names: the alternative for the size that is the nearest by ratios, among those of the machine
// where machines matter, or the region's own text. Machines of alternatives are the numbers of sizes
// here, from 1; a size that none of them has is the original's.
func (d *Dispatcher) ChoiceBySize(alternatives []Alternative, sizes []Size, names []string, original, indent string) string {
	var b strings.Builder
	line := func(depth int, format string, args ...any) {
		b.WriteString(indent + strings.Repeat("  ", depth+1) + fmt.Sprintf(format, args...) + "\n")
	}
	p := d.prefix
	conditions, product := make([]string, len(names)), make([]string, len(names))
	for k, name := range names {
		conditions[k], product[k] = fmt.Sprintf("(%s) > 0", name), fmt.Sprintf("(double) (%s)", name)
	}
	line(0, "int %s_here = 0;", p)
	line(0, "if (%s) {", strings.Join(conditions, " && "))
	line(1, "static const double %s_sizes[%d][%d] = {", p, len(sizes), len(names)+2)
	for _, s := range sizes {
		words := []string{fmt.Sprint(s.Machine), fmt.Sprintf("%.0f", s.Least)}
		for _, v := range s.Values {
			words = append(words, fmt.Sprint(v))
		}
		line(2, "{%s},", strings.Join(words, ", "))
	}
	line(1, "};")
	line(1, "const double %s_values[%d] = {%s};", p, len(names), strings.Join(product, ", "))
	line(1, "const double %s_product = %s;", p, strings.Join(product, " * "))
	line(1, "double %s_nearest = 0;", p)
	line(1, "for (int %[1]s_k = 0; %[1]s_k < %[2]d; %[1]s_k++) {", p, len(sizes))
	line(2, "double %s_apart = 1;", p)
	line(2, "for (int %[1]s_p = 0; %[1]s_p < %[2]d; %[1]s_p++) {", p, len(names))
	line(3, "const double %[1]s_ratio = %[1]s_values[%[1]s_p] / %[1]s_sizes[%[1]s_k][%[1]s_p + 2];", p)
	line(3, "%[1]s_apart *= %[1]s_ratio < 1 ? 1 / %[1]s_ratio : %[1]s_ratio;", p)
	line(2, "}")
	machine := ""
	if len(d.machines) > 0 {
		machine = fmt.Sprintf("%[1]s_sizes[%[1]s_k][0] == %[1]s() && ", p)
	}
	line(2, "if (%[2]s%[1]s_product >= %[1]s_sizes[%[1]s_k][1] && (%[1]s_here == 0 || %[1]s_apart < %[1]s_nearest)) {", p, machine)
	line(3, "%[1]s_here = %[1]s_k + 1;", p)
	line(3, "%[1]s_nearest = %[1]s_apart;", p)
	line(2, "}")
	line(1, "}")
	line(0, "}")
	return d.chosen(b.String(), alternatives, original, indent)
}
