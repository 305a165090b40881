package scop

import "strings"

// reservedNames are the words of isl's syntax; isl ignores their case.
var reservedNames = []string{"exists", "and", "or", "implies", "not", "infty", "infinity", "nan", "min", "max",
	"rat", "true", "false", "ceild", "floord", "mod", "ceil", "floor"}

// Representable says that isl can read the name as an identifier.
func Representable(name string) bool {
	for _, r := range reservedNames {
		if strings.EqualFold(r, name) {
			return false
		}
	}
	for i := range len(name) {
		if name[i] >= 0x80 || name[i] == '$' {
			return false
		}
	}
	return name != ""
}
