package codegen

import (
	"maps"
	"slices"
)

// macro is what stands in front of the block in the preprocessor's language.
type macro struct {
	name  string
	lines []string
}

// macro is the name of a macro, which is defined when it is asked for first; lines
// are its definition.
func (p *printer) macro(key, name string, lines func(name string) []string) string {
	if m, known := p.macros[key]; known {
		return m.name
	}
	if p.macros == nil {
		p.macros = map[string]macro{}
	}
	name = p.fresh(name)
	p.macros[key] = macro{name, lines(name)}
	return name
}

// macrosText are the definitions of macros, and what takes them back.
func (p *printer) macrosText() (definitions, undefined []string) {
	for _, key := range slices.Sorted(maps.Keys(p.macros)) {
		definitions = append(definitions, p.macros[key].lines...)
		undefined = append(undefined, "#undef "+p.macros[key].name)
	}
	return definitions, undefined
}
