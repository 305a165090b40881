package runner

import (
	"fmt"
	"slices"
	"strings"
)

// export is the text for the end of the function's file. Extents are computed
// there because they may use the user's macros.
func (m *driverModel) export(options DriverOptions) string {
	var b strings.Builder
	b.WriteString("/* For polytune's driver. */\n")
	if options.Include != "" {
		fmt.Fprintf(&b, "#include \"%s\" /* %s */\n", options.Include, options.IncludeHash)
	}
	kernel := m.Function
	if slices.ContainsFunc(m.Parameters, func(p driverParameter) bool { return p.Struct != "" }) {
		kernel = "tune_by_value"
		b.WriteString(m.byValue())
	}
	fmt.Fprintf(&b, "void (*const tune_exported_kernel)(void) = (void (*)(void)) %s;\n", kernel)
	if m.HasInit {
		fmt.Fprintf(&b, "void (*const tune_exported_init)(void) = (void (*)(void)) %s_init;\n", m.Function)
	}
	b.WriteString("void tune_exported_shape(const long long *, long long *);\n" +
		"void tune_exported_shape(const long long *tune_size, long long *tune_extent)\n{\n")
	for k, size := range m.Sizes {
		fmt.Fprintf(&b, "  const long long %s = tune_size[%d];\n", size.Identifier, k)
	}
	for _, d := range m.Derived {
		fmt.Fprintf(&b, "  const long long %s = %s; (void) %s;\n", d.Name, d.Value, d.Name)
	}
	b.WriteString("  (void) tune_size; (void) tune_extent;")
	for _, size := range m.Sizes {
		fmt.Fprintf(&b, " (void) %s;", size.Identifier)
	}
	b.WriteString("\n")
	for _, data := range m.Objects {
		for d, extent := range data.Extents {
			if extent == "" {
				extent = "0"
			}
			fmt.Fprintf(&b, "  tune_extent[%d] = (long long) (%s);\n", data.Shape+d, extent)
		}
	}
	b.WriteString("}\nconst __SIZE_TYPE__ tune_exported_layout[] = {0")
	for _, data := range m.Objects {
		fmt.Fprintf(&b, ", sizeof(%s), __alignof__(%[1]s)", data.Element)
		for _, path := range data.Paths {
			if path == "" {
				b.WriteString(", 0")
				continue
			}
			fmt.Fprintf(&b, ", __builtin_offsetof(%s, %s)", data.Element, path[1:])
		}
	}
	b.WriteString("};\nvoid *const tune_exported_variables[] = {(void *) 0")
	for _, name := range m.Variables {
		fmt.Fprintf(&b, ", (void *) &%s", name)
	}
	b.WriteString("};\n" + m.holding())
	return b.String()
}

// hooks report the function's own static variables, behind their declarations.
func (m *driverModel) hooks() []Hook {
	var hooks []Hook
	for k, data := range m.Objects {
		if data.Place == placeStatic {
			hooks = append(hooks, Hook{data.behind, fmt.Sprintf(" { extern void tune_exported_static(int, void *); tune_exported_static(%d, (void *) &%s); }", k, data.Name)})
		}
	}
	slices.SortStableFunc(hooks, func(a, b Hook) int { return a.Offset - b.Offset })
	return hooks
}

// byValue is a function of the function's file that calls it with the structs that it gets the
// addresses of.
func (m *driverModel) byValue() string {
	declared, passed := make([]string, len(m.Parameters)), make([]string, len(m.Parameters))
	for k, p := range m.Parameters {
		name := fmt.Sprintf("tune_argument_%d", k)
		declared[k], passed[k] = p.CallType+" "+name, name
		if p.Struct != "" {
			passed[k] = fmt.Sprintf("*(%s *) %s", p.Struct, name)
		}
	}
	result, returns := "void", ""
	if m.ResultType != "" {
		result, returns = m.ResultType, "return "
	}
	return fmt.Sprintf("static %s tune_by_value(%s)\n{\n  %s%s(%s);\n}\n", result, strings.Join(declared, ", "), returns, m.Function, strings.Join(passed, ", "))
}
