package frontend_test

import (
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/scop"
)

// Assignments are what vectors of elements can stand in for: the test gives the
// places of the elements, or why there are none.
func TestAssignment(t *testing.T) {
	arrays := []scop.Array{
		{Name: "a", Variable: "a", Type: "double", Size: 8, Extents: []string{"", "n"}},
		{Name: "x", Variable: "x", Type: "double", Size: 8, Extents: []string{""}},
		{Name: "f", Variable: "f", Type: "float", Size: 4, Extents: []string{""}},
		{Name: "g", Variable: "g", Type: "float", Size: 4, Extents: []string{""}},
		{Name: "q", Variable: "q", Type: "int", Size: 4, Extents: []string{""}},
		{Name: "s", Variable: "s", Type: "double", Size: 8},
		{Name: "j", Variable: "j", Type: "float", Size: 4},
		{Name: "p_v", Variable: "p", Path: "p[].v", Type: "double", Size: 8, Extents: []string{""}},
	}
	function := scop.Function{Arguments: []scop.Argument{{Name: "alpha", Type: "double", Role: scop.Scalar}, {Name: "beta", Type: "float", Role: scop.Scalar}, {Name: "n", Type: "int", Role: scop.Size}}}
	for _, test := range []struct {
		source, accesses string
		// want are the elements, "" for no assignment.
		want, element string
	}{
		{"a[i][j] += alpha * a[i][j - 1] * x[j];", "a a x", "a[i][j] a[i][j - 1] x[j]", "double"},
		{"x[i] = x[i] + -(2.5e-3 * s) / 3;", "x x s", "x[i] x[i] s", "double"},
		{"f[i] -= beta * 0.5f - g[i];", "f g", "f[i] g[i]", "float"},
		{"f[i] = 0.5 * g[i];", "f g", "", "a constant of type double"},
		{"f[i] = 16777216 * g[i];", "f g", "f[i] g[i]", "float"},
		{"f[i] = 16777217 * g[i];", "f g", "", "a whole number that no float is"},
		{"x[i] = 0x7fffffff * x[j];", "x x", "x[i] x[j]", "double"},
		{"x[i] = 9007199254740993 * x[j];", "x x", "", "a whole number that no double is"},
		{"f[i] = alpha * g[i];", "f g", "", "a scalar of type double"},
		{"x[i] = beta * 0.1f;", "x", "x[i]", "double"},
		{"x[i] = f[i];", "x f", "", "elements of two types"},
		{"q[i] = q[i] + 1;", "q q", "", "integers"},
		{"x[i] = n * 2.0;", "x", "", "a size"},
		{"x[i] = i * 2.0;", "x", "", "an iterator"},
		{"x[i] = EPS;", "x", "", "a name of unknown type"},
		{"x[i] = sqrt(x[i]);", "x x", "", "a call"},
		{"x[i] = (float) x[i];", "x x", "", "a conversion"},
		{"x[i] = x[i] > 0 ? 1 : 2;", "x x", "", "a condition"},
		{"x[q[i]] = 1.0;", "x q", "", "an element in a subscript"},
		{"x[j] += a[i][j] * s;", "x a s", "x[j] a[i][j] s", "double"},
		{"x[j] += a[i][q];", "x a q", "", "a variable in a subscript"},
		{"p[i].v = 1.0;", "p_v", "", "a member"},
		{"x[i]++;", "x", "", "no assignment"},
		{"x[i] = 1.0, x[j] = 2.0;", "x x", "", "two"},
		{"x[i] = s = 1.0;", "x s", "", "two in one"},
		{"x[i] = M * 2.0;", "x s", "", "a macro that hides an element"},
		{"if (n) x[i] = 1;", "x", "", "a condition"},
		{"x[i] = 1.0 /* one */;", "x", "", "a comment"},
		{"x[i] = 0x10 * 2.0;", "x", "x[i]", "double"},
		{"x[i] = 1.0L;", "x", "", "long double"},
		{"x[i] = s - -alpha;", "x s", "x[i] s", "double"},
		{"x[i] =", "x", "", "cut off"},
		{"x[", "x", "", "cut off"},
		{"", "x", "", "nothing"},
	} {
		p := &scop.Program{Arrays: arrays, Function: function}
		s := &scop.Statement{Name: "S0", Source: test.source, Loops: []scop.Loop{{Iterator: "i"}, {Iterator: "j"}}}
		for k, name := range strings.Fields(test.accesses) {
			s.Accesses = append(s.Accesses, scop.Access{Array: name, Write: k == 0, Read: k > 0})
		}
		for k, c := range test.source {
			if (c == 'i' || c == 'j') && strings.ContainsAny(test.source[max(0, k-1):k], "[ ") && !strings.HasPrefix(test.source[k:], "if") {
				s.Uses = append(s.Uses, scop.Use{Offset: k, Loop: int(c - 'i')})
			}
		}
		s.Value = frontend.Tree(test.source, s.Uses, nil)
		a := p.Assignment(s)
		if (a == nil) != (test.want == "") {
			t.Errorf("%q (%s): %+v", test.source, test.element, a)
			continue
		}
		if a == nil {
			continue
		}
		var got []string
		for _, place := range a.Operands {
			got = append(got, test.source[place.Start:place.End])
		}
		if strings.Join(got, " ") != test.want || a.Element != test.element {
			t.Errorf("%q: elements %q of type %s", test.source, got, a.Element)
		}
	}
}

// A packed operand takes with it the scalars that it is multiplied with before anything
// else: the same operations in the same order.
func TestScaledOperands(t *testing.T) {
	arrays := []scop.Array{
		{Name: "a", Variable: "a", Type: "double", Size: 8, Extents: []string{""}},
		{Name: "b", Variable: "b", Type: "double", Size: 8, Extents: []string{""}},
		{Name: "s", Variable: "s", Type: "double", Size: 8},
		{Name: "w", Variable: "w", Type: "double", Size: 8},
	}
	for source, want := range map[string]string{
		"a[i] += s * a[i] * b[i];":                "s * a[i]|b[i]",
		"a[i] += a[i] * s * 2 * b[i];":            "a[i] * s * 2|b[i]",
		"a[i] += a[i] * b[i] * s;":                "a[i]|b[i]",
		"a[i] += s * a[i];":                       "a[i]",
		"a[i] += w * a[i] * b[i];":                "w|a[i]|b[i]",
		"a[i] = -s / a[i] * b[i];":                "-s / a[i]|b[i]",
		"a[i] = (s + a[i]) * b[i];":               "(s + a[i])|b[i]",
		"a[i] = s + a[i] * b[i];":                 "a[i]|b[i]",
		"a[i] = b[i] * (s * a[i]);":               "b[i]|a[i]",
		"a[i] -= a[j]*s*b[i] + b[j]*s*s*a[i];":    "a[j]*s|b[i]|b[j]*s*s|a[i]",
		"a[i] += 2 * s * a[i] / s * b[i] * a[j];": "2 * s * a[i] / s|b[i]|a[j]",
	} {
		p := &scop.Program{Arrays: arrays}
		s := &scop.Statement{Name: "S0", Source: source, Value: frontend.Tree(source, nil, nil)}
		for k := 0; k < len(source); k++ {
			if name := source[k]; name >= 'a' && name <= 'z' && name != 'i' && name != 'j' {
				s.Accesses = append(s.Accesses, scop.Access{Array: string(name), Write: len(s.Accesses) == 0, Read: len(s.Accesses) > 0})
			}
		}
		p.Statements = []scop.Statement{*s, {Accesses: []scop.Access{{Array: "w", Write: true}}}}
		a := p.Assignment(s)
		if a == nil {
			t.Errorf("%q is no assignment", source)
			continue
		}
		var got []string
		for k, place := range a.Scaled {
			if k > 0 && s.Accesses[k].Array != "s" {
				got = append(got, source[place.At().Start:place.At().End])
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", source, strings.Join(got, "|"), want)
		}
	}
}

// The terms of a value are those that the target gets one after the other where sums may be
// computed in any order.
func TestTerms(t *testing.T) {
	arrays := []scop.Array{{Name: "x", Variable: "x", Type: "double", Size: 8, Extents: []string{""}}}
	for source, want := range map[string]string{
		"x[i] += 2.0;":                           "+2.0",
		"x[i] += 2.0 * 3.0 + 4.0;":               "+2.0 * 3.0 +4.0",
		"x[i] -= 2.0 - 3.0 / (4.0 - 5.0) + 6.0;": "+2.0 -3.0 / (4.0 - 5.0) +6.0",
		"x[i] = -2.0 - -3.0;":                    "+-2.0 --3.0",
	} {
		s := &scop.Statement{Name: "S0", Source: source, Accesses: []scop.Access{{Array: "x", Write: true}}, Loops: []scop.Loop{{Iterator: "i"}}}
		s.Uses = []scop.Use{{Offset: 2, Loop: 0}}
		s.Value = frontend.Tree(source, s.Uses, nil)
		a := (&scop.Program{Arrays: arrays}).Assignment(s)
		if a == nil {
			t.Fatalf("%s is no assignment", source)
		}
		var got []string
		for k, term := range a.Terms {
			sign := map[bool]string{false: "+", true: "-"}[a.Minus[k]]
			got = append(got, sign+source[term.At().Start:term.At().End])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has the terms %q, not %q", source, got, want)
		}
	}
}
