package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"polytune/pipeline"
	"polytune/scop/ranks"
)

// ranksFlags add those of programs that run on several ranks.
func ranksFlags(set *pflag.FlagSet, o *pipeline.Ranks) {
	set.Var(gatherFlag{&o.How.Gather}, "gather", "with --target mpi, the ranks that have all results in the end: all, root for rank 0, or none, so that each has its own part")
	set.StringVar(&o.How.Communicator, "communicator", "", "with --target mpi, the communicator of the ranks, a `name` in C that the file knows outside of functions (default MPI_COMM_WORLD)")
	set.Var(numbersFlag{&o.Numbers}, "ranks", "with --target mpi, the `numbers` of ranks, such as 1,2,4")
}

// gatherFlag says which ranks have all results.
type gatherFlag struct{ *ranks.Gather }

func (f gatherFlag) Type() string { return "ranks" }

func (f gatherFlag) String() string {
	if f.Gather == nil || *f.Gather == "" {
		return string(ranks.OnAll)
	}
	return string(*f.Gather)
}

func (f gatherFlag) Set(text string) error {
	switch gather := ranks.Gather(text); gather {
	case ranks.OnAll, ranks.OnRoot, ranks.OnNone:
		*f.Gather = gather
		return nil
	}
	return fmt.Errorf("%q is none of all, root and none", text)
}

// numbersFlag are numbers of ranks.
type numbersFlag struct{ list *[]int }

func (f numbersFlag) Type() string { return "numbers" }

func (f numbersFlag) String() string {
	if f.list == nil || len(*f.list) == 0 {
		return ""
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*f.list), " ", ","), "[]")
}

func (f numbersFlag) Set(text string) error {
	var list []int
	for _, word := range strings.Split(text, ",") {
		number, err := strconv.Atoi(word)
		if err != nil || number < 1 || number > pipeline.MostRanks {
			return fmt.Errorf("%q is no number of ranks from 1 to %d", word, pipeline.MostRanks)
		}
		list = append(list, number)
	}
	*f.list = list
	return nil
}
