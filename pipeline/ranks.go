package pipeline

import (
	"fmt"
	"strings"

	mpicode "polytune/codegen/mpi"
	"polytune/internal/usage"
	"polytune/scop/ranks"
	"polytune/target"
	"polytune/target/mpi"
)

// MostRanks is the largest number of ranks that anybody may ask for.
const MostRanks = 1 << 20

// MPIAdvice says what to do where the compiler of an MPI library is missing.
const MPIAdvice = "programs on ranks need the compiler of an MPI library: install libopenmpi-dev and openmpi-bin (Debian), load the site's module, or set mpi.compiler"

// Ranks say how programs run on several ranks.
type Ranks struct {
	How mpicode.Options
	// Numbers are those of ranks that are compared or counted, none for the default.
	Numbers []int
}

// IsOnRanks says whether code is made for several ranks.
func (t *Target) IsOnRanks() bool {
	_, is := t.On.(mpi.Target)
	return is
}

// CheckCalledOnRanks is an error where a program for ranks has a main of its own: a driver calls the
// region's function on all of them, with data and sizes that it makes. The error says what to write.
func (t *Target) CheckCalledOnRanks() error {
	if !t.IsOnRanks() || !t.IsProgram {
		return nil
	}
	name := t.Unit.Program.Function.Name
	const driver = "on ranks a driver calls the region's function, and compares and times it; this program has a main"
	var sizes []string
	for _, parameter := range t.Unit.Program.Parameters {
		sizes = append(sizes, t.Unit.Program.Spelling(parameter)+"=…")
	}
	command := "tune … FILE.c --target mpi"
	if len(sizes) > 0 {
		command += " --param " + strings.Join(sizes, ",")
	}
	switch {
	case name == "main":
		return usage.Mistake(fmt.Errorf("%s: %s: write the region into a function with its arrays and sizes as arguments, in a file without main, and call it from main; then %s, and tune transform main's program as it is", t.Path, driver, command))
	case t.File.HasMain:
		return usage.Mistake(fmt.Errorf("%s: %s: write %s into a file without main, which declares it instead; then %s", t.Path, driver, name, command))
	}
	return usage.Mistake(fmt.Errorf("%s: %s in a file of --build-flags: leave that file out; then %s", t.Path, driver, command))
}

// IsOnRanks says whether code is made for several ranks.
func (o *Options) IsOnRanks() bool {
	_, is := o.On.(mpi.Target)
	return is
}

// on is a target with what is said of ranks where it is one of theirs.
func (r Ranks) on(t target.Target) target.Target {
	if m, is := t.(mpi.Target); is {
		m.Options = r.How
		return m
	}
	return t
}

// Header declares the function of an algorithm in Go, and says what ranks that call it have to do.
func (t *Target) Header() []byte {
	if m, is := t.On.(mpi.Target); is {
		return t.Algorithm.HeaderWith(mpicode.Contract(m.Options))
	}
	return t.Algorithm.Header
}

// ResultsOnRoot says whether rank 0 alone has all results in the end.
func (t *Target) ResultsOnRoot() bool {
	m, is := t.On.(mpi.Target)
	return is && m.Gather == ranks.OnRoot
}
