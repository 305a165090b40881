package pipeline

import (
	mpicode "polytune/codegen/mpi"
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

// ResultsOnRoot says whether rank 0 alone has all results in the end.
func (t *Target) ResultsOnRoot() bool {
	m, is := t.On.(mpi.Target)
	return is && m.Gather == ranks.OnRoot
}
