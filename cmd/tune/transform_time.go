package main

import (
	"fmt"
	"io"
	"time"

	"polytune/pipeline/transformed"
	"polytune/pipeline/variant"
)

// countRest counts what the phases of the regions leave of the time for all, such
// as that for reading the file, as other work on the first of them.
func countRest(done []variant.Transformed, all time.Duration) {
	for _, d := range done {
		all -= d.Variant.Phases.Total()
	}
	done[0].Variant.Phases.Other += all
}

func printPhases(w io.Writer, done []variant.Transformed) {
	for _, d := range done {
		seconds := transformed.Seconds(d.Variant.Phases)
		fmt.Fprintf(w, "%s: dependences %.4f s, transform %.4f s, codegen %.4f s, other %.4f s, total %.4f s\n", d.Target.Name,
			seconds["dependences"], seconds["transform"], seconds["codegen"], seconds["other"], seconds["total"])
	}
}
