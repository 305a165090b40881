package explain

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"polytune/codegen"
	"polytune/codegen/mpi"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/scop/depend"
	"polytune/scop/ranks"
)

// defaultRanks is the number of ranks that are counted for where nobody asks for another.
const defaultRanks = 2

// countMessages fills in what ranks tell each other in a run of a variant.
func (o *Options) countMessages(ctx context.Context, t *pipeline.Target, v variant.Variant, r *Report) error {
	if !t.IsOnRanks() {
		return nil
	}
	r.Ranks = defaultRanks
	if numbers := o.Target.Ranks.Numbers; len(numbers) > 0 {
		r.Ranks = numbers[0]
	}
	return t.WithGraph(ctx, func(g *depend.Graph) error {
		m, proven, options, err := codegen.Prove(g, v.Recipe, t.Unit)
		if err != nil {
			return err
		}
		how := o.Target.Ranks.How
		plan, err := mpi.Plan(m, proven, v.Recipe, t.Unit, how)
		if err != nil {
			return err
		}
		volume, err := plan.Volume(m, m.Program.ParameterValues(r.Parameters), r.Ranks, cmp.Or(how.Gather, ranks.OnAll))
		for k, x := range volume.Exchanges {
			volume.Exchanges[k].Before = options.Tree.Written(x.Before)
		}
		r.Communication = &volume
		for _, note := range plan.Notes() {
			r.ByHand = append(r.ByHand, strings.ReplaceAll(options.Tree.InWords(note, ""), "\n", " "))
		}
		return err
	})
}

// writeCommunication says what ranks tell each other.
func writeCommunication(w io.Writer, r Report) {
	c := r.Communication
	if c == nil {
		return
	}
	fmt.Fprintf(w, "on %d ranks: %d messages, %d bytes\n", r.Ranks, c.Messages, c.Bytes)
	for _, x := range c.Exchanges {
		unread := ""
		if x.Unread > 0 {
			unread = fmt.Sprintf(", of which nobody reads %d", x.Unread)
		}
		fmt.Fprintf(w, "  before %s, %s to %s: %d elements in %d messages%s\n", cmp.Or(x.Before, "what runs on all ranks"), x.Array, x.To, x.Elements, x.Messages, unread)
	}
	for _, note := range r.ByHand {
		fmt.Fprintf(w, "  %s\n", note)
	}
	for _, s := range c.Sums {
		fmt.Fprintf(w, "  behind %s, all ranks put %s together: %d elements in %d calls of MPI_Allreduce\n", s.Behind, s.Array, s.Elements, s.Calls)
	}
	if c.Gather != nil {
		fmt.Fprintf(w, "  results at the end: %d messages, %d bytes\n", c.Gather.Messages, c.Gather.Bytes)
	}
}
