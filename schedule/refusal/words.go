package refusal

import (
	"fmt"
	"strings"

	"polytune/scop"
	"polytune/scop/depend"
)

// Words say a dependence in the words of the source: which one it is, and what its two references do
// in the file, behind a colon.
func Words(m *scop.Model, d *depend.Dependence, file string) (what, references string) {
	source, target := reference(m, d.Source, d.SourceAccess), reference(m, d.Target, d.TargetAccess)
	verbs := does[d.Kind]
	return fmt.Sprintf("the %s dependence of %s on %s", d.Kind, target.Statement, source.Statement),
		fmt.Sprintf(": %s %s what %s %s", target.place(file), verbs[0], source.place(file), verbs[1])
}

// Example is the smallest example of a dependence in numbers, "" where none is found.
func Example(m *scop.Model, d *depend.Dependence) string {
	pair, err := d.Smallest(m)
	if err != nil || pair == nil {
		return ""
	}
	p := m.Program
	return parametersOf(p, pair) + instance(p, d.Target, pair.Target) + " behind " + instance(p, d.Source, pair.Source)
}

// parametersOf are the values of the parameters of an example, with a colon behind them: "N = 2: ".
func parametersOf(p *scop.Program, pair *depend.Pair) string {
	var values []string
	for k, name := range p.Parameters {
		values = append(values, fmt.Sprintf("%s = %d", p.Spelling(name), pair.Parameters[k]))
	}
	if len(values) == 0 {
		return ""
	}
	return strings.Join(values, ", ") + ": "
}
