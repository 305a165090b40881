package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"polytune/bug"
	"polytune/internal/outfile"
)

func newBugCommand(global *globalOptions) *cobra.Command {
	o, output, yes := &bug.Options{}, "", false
	c := &cobra.Command{
		Use:   "bug [TARGET] -o FILE",
		Short: "Pack what a report of a bug needs into one file",
		Long: `Pack the version, the machine, the log of the command that went wrong, the source,
and a variant of it with its trials into one file, for a report of a bug. What is in it
is shown first; without a terminal to ask, --yes says that it may be written.

The command that went wrong writes its log with --log FILE, and goes on where it was
when it is given again.` + exitStatusHelp(),
		Example: "  tune bug kernel.c --log tune.log -o bug.tar.gz\n  tune bug --bench 2mm --variant 0-1-1-2.3fa9c1d0 --yes -o bug.tar.gz",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			bundle, err := bug.Collect(c.Context(), c.ErrOrStderr(), o, args, settings)
			if err != nil {
				return err
			}
			if err := bundle.Show(c.ErrOrStderr()); err != nil {
				return err
			}
			if !yes && !confirmed(c.ErrOrStderr(), c.InOrStdin(), output) {
				return fmt.Errorf("nothing is written; --yes writes %s", output)
			}
			return outfile.Stream(c.OutOrStdout(), output, bundle.Write)
		},
	}
	targetFlags(c.Flags(), &o.Target)
	privatizeFlag(c.Flags(), &o.Target, true)
	reassociateFlag(c.Flags(), &o.Target)
	c.Flags().StringVar(&o.Log, "log", "", "the `file` with the log of the command that went wrong")
	c.Flags().StringVar(&o.Variant, "variant", "", "the `ID` of the variant that is packed (default the fastest known)")
	c.Flags().StringVar(&o.About, "about", "", "a `TEXT` that says what went wrong")
	c.Flags().StringVarP(&output, "output", "o", "polytune-bug.tar.gz", "the `file` to write")
	c.Flags().BoolVar(&yes, "yes", false, "write without asking")
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
	return c
}

// confirmed asks on a terminal; elsewhere nobody can say yes.
func confirmed(w io.Writer, in io.Reader, output string) bool {
	if file, is := in.(*os.File); !is || !term.IsTerminal(int(file.Fd())) {
		return false
	}
	fmt.Fprintf(w, "write %s? [y/N] ", output)
	answer, err := bufio.NewReader(in).ReadString('\n')
	return err == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y")
}
