package main

import (
	"strings"

	"github.com/spf13/pflag"
)

// repeatedFlag adds a flag that may be given several times. pflag's own writes its list as CSV when
// it is made, with a buffer for each: for all commands that was a twentieth of a start of the
// program.
func repeatedFlag(set *pflag.FlagSet, list *[]string, name, letter, about string) {
	set.VarP(repeated{list}, name, letter, about)
}

// repeated is the value of a flag that may be given several times.
type repeated struct{ list *[]string }

// Type is that of pflag's own, by which shells know that the flag may be given again.
func (r repeated) Type() string { return "stringArray" }

func (r repeated) String() string { return strings.Join(*r.list, " ") }

func (r repeated) Set(text string) error {
	*r.list = append(*r.list, text)
	return nil
}
