package main

import (
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"polytune/internal/jsondoc"
	"polytune/pipeline"
	"polytune/scan"
)

const scanHelp = `List the loop nests of C files, and of those in folders, that have no pragmas yet:
which can be tuned, and why others cannot, with the place; how deep they are, and how
many operations (+ - * /) their statements have in how many loops. Of a nest that
cannot be modelled the loops inside are listed, too. With --param, all operations of a
nest are counted.

Files are read as a build compiles them where a compile_commands.json says how, in a
folder around the file or in build below one, unless --build-flags is given.

With --run the command, which is to run the program to its end, is timed, and each
nest has its share: by perf where that is there and may look, best of a program that
was compiled with -g; by gprof for one that was compiled with -pg; or else by timers
around the nests, for which the files, with what --build-flags names, are built as a
program that gets the command's arguments.

--write puts #pragma scop and #pragma endscop around the nests that can be tuned:
one region for nests that come one after the other and can be modelled together. A loop
that only calls functions whose own loops can be tuned is left as it is.`

func newScanCommand(global *globalOptions) *cobra.Command {
	o := &scan.Options{}
	json := false
	c := &cobra.Command{
		Use:     "scan FILE...",
		Short:   "Find the loop nests that can be tuned in files without pragmas",
		Long:    scanHelp + exitStatusHelp("3   some of several files cannot be read"),
		Example: "  tune scan solver.c\n  tune scan src/a.c src/b.c -I include --json\n  tune scan solver.c --run './solver 200'\n  tune scan solver.c --write",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) (err error) {
			if o.Settings, err = global.settings(); err != nil {
				return err
			}
			o.Target.Notes, o.Stderr = os.Stderr, c.ErrOrStderr()
			values, err := pipeline.ParseParameters(o.Params)
			if err != nil {
				return err
			}
			var foreign []string // which of several files has a parameter is not asked
			if len(args) > 1 {
				foreign = slices.Collect(maps.Keys(values))
			}
			o.Command = func(words ...string) string { return nextCommand(c, words, foreign) }
			r, err := o.Files(c.Context(), args)
			if err != nil {
				return err
			}
			write := r.Print
			if json {
				write = func(w io.Writer) error { return jsondoc.Write(w, r) }
			}
			if err := write(c.OutOrStdout()); err != nil {
				return err
			}
			return r.Outcome(c.ErrOrStderr())
		},
	}
	readingFlags(c.Flags(), &o.Target)
	c.Flags().StringVar(&o.Params, "param", "", "parameter values, `NAME=NUMBER,…`, for which the operations of all iterations are counted")
	c.Flags().StringVar(&o.Run, "run", "", "a `command` that runs the program: nests get their shares of its time")
	c.Flags().BoolVar(&o.Write, "write", false, "put pragmas around the nests that can be tuned, in the files")
	c.Flags().String("cc", "", "the `compiler` of programs with timers: an entry of the settings' toolchains, a name on PATH, or a path")
	global.bind(c, map[string]string{"cc": "toolchain"})
	c.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return c
}
