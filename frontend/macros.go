package frontend

import (
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/internal/pattern"
)

// ownInclude is a line that includes a file by a name in quotation marks, or by a macro.
var ownInclude = pattern.New(`(?m)^[ \t]*#[ \t]*include[ \t]*[^<\s]`)

// MayDiffer says whether a file may be another one when it is read with other options: it includes
// files besides the system's, or it names a macro that the compiler defines otherwise with them.
// What headers of the system make of such macros does not count.
func MayDiffer(source []byte, a, b Options) bool {
	if ownInclude.Match(source) || len(a.Includes)+len(b.Includes)+len(a.IncludePaths)+len(b.IncludePaths)+len(a.SystemPaths)+len(b.SystemPaths) > 0 {
		return true
	}
	one, err := hostConfig(a.CompilerOptions)
	if err != nil {
		return true
	}
	other, err := hostConfig(b.CompilerOptions)
	if err != nil {
		return true
	}
	differing := map[string]bool{}
	add := func(from, to map[string]string) {
		for name, value := range from {
			if is, defined := to[name]; !defined || is != value {
				differing[name] = true
			}
		}
	}
	x, y := macrosOf(one.Predefined, a.Defines), macrosOf(other.Predefined, b.Defines)
	add(x, y)
	add(y, x)
	return slices.ContainsFunc(ctext.Words(string(source)), func(word string) bool { return differing[word] })
}

// macrosOf are what macros stand for, by their names.
func macrosOf(predefined string, defines []string) map[string]string {
	macros := map[string]string{}
	for line := range strings.Lines(predefined) {
		text, isDefinition := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "#define ")
		if !isDefinition {
			continue
		}
		end := strings.IndexAny(text+" ", " \t(")
		macros[text[:end]] = text[end:]
	}
	for _, d := range defines {
		name, value, _ := strings.Cut(d, "=")
		name, _, _ = strings.Cut(name, "(")
		macros[name] = " " + value
	}
	return macros
}
