package tuner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner/search"
)

// CompilerAxis is the axis of a candidate that says which of the session's compilers
// builds it, as in "cc=clang tile=wide"; without it that is Request.Toolchain. It is no
// choice about the schedule: the compiler's name is part of the variant's id, not of its
// recipe.
const CompilerAxis = "cc"

// CompilerSetting is the setting of a compiler with those of the other axes, in
// alphabetical order as these are.
func CompilerSetting(name, others string) string {
	words := strings.Fields(others)
	at := slices.IndexFunc(words, func(word string) bool {
		axis, _, _ := strings.Cut(word, "=")
		return axis > CompilerAxis
	})
	if at < 0 {
		at = len(words)
	}
	return strings.Join(slices.Insert(words, at, CompilerAxis+"="+name), " ")
}

// SplitCompiler parts the compiler's name from the setting of the other axes; "" for
// none.
func SplitCompiler(axis string) (name, others string) {
	words := strings.Fields(axis)
	at := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, CompilerAxis+"=") })
	if at < 0 {
		return "", axis
	}
	name = strings.TrimPrefix(words[at], CompilerAxis+"=")
	return name, strings.Join(slices.Delete(words, at, at+1), " ")
}

// isOriginal says whether the candidate is the original, built by another compiler.
func (c *Candidate) isOriginal() bool { return len(c.Partition) == 0 }

// compilerOf is the name of the further compiler that builds a candidate, "" for the
// session's own.
func (r *Request) compilerOf(c Candidate) string {
	name, _ := SplitCompiler(c.Axis)
	if name == r.Toolchain.Name {
		return ""
	}
	return name
}

// toolchains are all compilers of the session, its own first.
func (r *Request) toolchains() []runner.Toolchain {
	return append([]runner.Toolchain{r.Toolchain}, r.Compilers...)
}

// compiler is one of the further compilers.
func (r *Request) compiler(name string) (t runner.Toolchain, found bool) {
	at := slices.IndexFunc(r.Compilers, func(t runner.Toolchain) bool { return t.Name == name })
	if at < 0 {
		return runner.Toolchain{}, false
	}
	return r.Compilers[at], true
}

// validateCandidates refuses candidates that nothing can be made of, and compilers that
// have the same name.
func (r *Request) validateCandidates() error {
	names := []string{r.Toolchain.Name}
	for _, t := range r.Compilers {
		if slices.Contains(names, t.Name) {
			return fmt.Errorf("two compilers are called %q", t.Name)
		}
		names = append(names, t.Name)
	}
	for _, c := range r.Candidates {
		name := r.compilerOf(c)
		if _, known := r.compiler(name); name != "" && !known {
			return fmt.Errorf("candidate %q is for the compiler %q, which the session does not have", c.text(), name)
		}
		if c.isOriginal() && name == "" {
			return fmt.Errorf("candidate %q has no partition", c.Label)
		}
	}
	return nil
}

// compilerIDs say which compilers have which names.
func (r *Request) compilerIDs() []string {
	list := make([]string, len(r.Compilers))
	for i, t := range r.Compilers {
		list[i] = t.Name + "=" + t.ID
	}
	return list
}

// Elsewhere is the number of candidates at most that the further compilers build because
// they were among the fastest built by the session's own.
func (r *Request) Elsewhere() int {
	return min(r.policy().leaders, len(r.ownCandidates(r.Candidates))) * len(r.Compilers)
}

// ownCandidates are those that the session's own compiler builds.
func (r *Request) ownCandidates(list []Candidate) []Candidate {
	return slices.DeleteFunc(slices.Clone(list), func(c Candidate) bool { return r.compilerOf(c) != "" })
}

// elsewhere are the fastest of a batch in the screening, as many as the race's leaders,
// for each of the further compilers. What is fast with one compiler often is with
// another, and trying all with all would take a multiple of the time.
func (s *session) elsewhere(batch []Candidate) []Candidate {
	if len(s.request.Compilers) == 0 {
		return nil
	}
	var list []Candidate
	for _, leader := range s.leaders(batch) {
		for _, t := range s.request.Compilers {
			c := Candidate{Partition: leader.Partition, Axis: CompilerSetting(t.Name, leader.Setting)}
			if !slices.ContainsFunc(batch, func(other Candidate) bool { return other.text() == c.text() }) {
				list = append(list, c)
			}
		}
	}
	return list
}

// leaders are the fastest variants of a batch that the session's own compiler has built.
func (s *session) leaders(batch []Candidate) []search.Outcome {
	list := slices.DeleteFunc(s.outcomes(s.request.ownCandidates(batch)), func(o search.Outcome) bool { return !o.Timed() })
	slices.SortStableFunc(list, func(a, b search.Outcome) int { return cmp.Compare(a.Time, b.Time) })
	seen := map[string]bool{}
	list = slices.DeleteFunc(list, func(o search.Outcome) bool {
		known := seen[o.Variant]
		seen[o.Variant] = true
		return known
	})
	return list[:min(len(list), s.policy.leaders)]
}

// toolchainOf is the ID of the further compiler that builds a variant, "" for the
// session's own.
func (s *session) toolchainOf(variant string) string {
	_, name := store.SplitVariant(variant)
	t, _ := s.request.compiler(name)
	return t.ID
}

// checkCompilers gives a *runner.ToolchainChangedError when one of the compilers was
// replaced.
func (s *session) checkCompilers(ctx context.Context) error {
	for _, watch := range s.compilers {
		if err := watch.Check(ctx); err != nil {
			return err
		}
	}
	return nil
}
