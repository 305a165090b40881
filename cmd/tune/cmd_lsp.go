package main

import (
	"github.com/spf13/cobra"

	"polytune/editor"
)

const lspHelp = `Speak with an editor on standard input and output, by the Language Server Protocol:
what is refused of regions, at its place, while one types; what the loops of a region
carry, where the pointer rests; and as actions, pragmas around loop nests that can be
tuned, and the best variant that is known of a region. Files are read as a
compile_commands.json says, in a folder around the file or in build below one, unless
--build-flags is given. Editors start this command; docs/editors.md has their settings.`

func newLSPCommand(global *globalOptions) *cobra.Command {
	o := &editor.Options{}
	c := &cobra.Command{
		Use:     "lsp",
		Short:   "Serve an editor: messages, dependences and results in the text",
		Long:    lspHelp + exitStatusHelp(),
		Example: "  tune lsp\n  tune lsp -I include --build-flags '-fopenmp'",
		Args:    maximumArgs(0),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if o.Settings, err = global.settings(); err != nil {
				return err
			}
			o.Next = func(words ...string) string { return nextCommand(c, words, nil) }
			o.Log = c.ErrOrStderr()
			return o.Serve(c.Context(), c.InOrStdin(), c.OutOrStdout())
		},
	}
	readingFlags(c.Flags(), &o.Target)
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
	return c
}
