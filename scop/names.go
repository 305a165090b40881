package scop

import "strings"

// reservedNames are the words of isl's syntax; isl ignores their case.
var reservedNames = []string{"exists", "and", "or", "implies", "not", "infty", "infinity", "nan", "min", "max",
	"rat", "true", "false", "ceild", "floord", "mod", "ceil", "floor"}

// OwnPrefix begins the names that our own texts for isl give dimensions, such as tune_e0.
const OwnPrefix = "tune_"

// Representable says that isl can read the name as an identifier, and that no dimension has it in our
// own texts: there a parameter of this name would be meant.
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
	return name != "" && !strings.HasPrefix(name, OwnPrefix) && !isAnySubscript(name)
}

// isAnySubscript says that a name is any0 or such, a subscript of which nothing is known.
func isAnySubscript(name string) bool {
	number, is := strings.CutPrefix(name, "any")
	return is && number != "" && strings.Trim(number, "0123456789") == ""
}
