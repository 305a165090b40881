package spaces

import (
	"fmt"
	"io"
	"text/tabwriter"

	"polytune/pipeline"
	"polytune/space"
)

// printTable counts the spaces of several targets, with the columns of Figure
// 6 of the SC'10 paper: its #valid is mode sc10.
func (o *Options) printTable(w io.Writer, targets []*pipeline.Target) error {
	modes := []string{o.Target.Space.Mode}
	if o.BothModes {
		modes = []string{space.Exact.String(), space.SC10.String()}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer table.Flush()
	fmt.Fprint(table, "KERNEL\tLOOPS\tSTMTS\tREFS\tDEPS\tPARTITIONS")
	for _, mode := range modes {
		fmt.Fprintf(table, "\tVALID (%s)", mode)
	}
	if o.Time {
		fmt.Fprint(table, "\tSECONDS")
	}
	fmt.Fprintln(table)
	for _, t := range targets {
		if err := o.printRow(table, t, modes); err != nil {
			return err
		}
	}
	return nil
}

// inMode is the target with the space of another mode.
func inMode(t *pipeline.Target, mode string) *pipeline.Target {
	flags, other := *t.Partitions, *t
	flags.Mode = mode
	other.Partitions = &flags
	return &other
}

// printRow counts one target in each mode.
func (o *Options) printRow(w io.Writer, t *pipeline.Target, modes []string) error {
	row := *o
	row.Limit, row.Sample = 0, 0
	seconds := 0.0
	for k, mode := range modes {
		err := row.inSpace(inMode(t, mode), func(s *analyzedSpace) error {
			r, err := row.report(s)
			if err != nil {
				return err
			}
			o.noteEmpty(r)
			if k == 0 {
				fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s", r.Kernel, r.Loops, r.Statements, r.Refs, r.Dependences, r.Partitions)
			}
			for _, part := range r.Seconds {
				seconds += part
			}
			_, err = fmt.Fprintf(w, "\t%s", r.legal())
			return err
		})
		if err != nil {
			return err
		}
	}
	if o.Time {
		fmt.Fprintf(w, "\t%.3f", seconds)
	}
	_, err := fmt.Fprintln(w)
	return err
}
