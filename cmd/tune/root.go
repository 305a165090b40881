package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/journal"
	"polytune/internal/usage"
	"polytune/internal/version"
)

// globalOptions are the flags that every command has, and those flags of its
// own that a command has given to settings.
type globalOptions struct {
	config string
	// log is the file that gets a log, "" for none.
	log   string
	bound []boundFlags
}

// boundFlags are flags of one command, by name, and the settings they stand
// for.
type boundFlags struct {
	command *cobra.Command
	keys    map[string]string
}

// bind makes flags of the command stand for settings.
func (o *globalOptions) bind(c *cobra.Command, keys map[string]string) {
	o.bound = append(o.bound, boundFlags{c, keys})
}

// settings are all settings of this run: defaults, file, environment, flags.
func (o *globalOptions) settings() (configs.Settings, error) {
	loader, err := configs.NewLoader()
	if err != nil {
		return configs.Settings{}, err
	}
	for _, b := range o.bound {
		for name, key := range b.keys {
			flag := b.command.Flags().Lookup(name)
			if !flag.Changed {
				continue
			}
			if err := loader.Bind(key, flag); err != nil {
				return configs.Settings{}, err
			}
		}
	}
	return loader.Load(o.config)
}

// checkFile reads a file of settings that the command line names, also for commands
// that no setting matters to: a wrong name or a mistake in it is told at once.
func (o *globalOptions) checkFile() error {
	if o.config == "" {
		return nil
	}
	_, err := o.settings()
	return err
}

// newRootCommand builds the command line. `tune TARGET` itself is the main
// job, tuning; the other commands are its parts.
func newRootCommand() *cobra.Command {
	global := &globalOptions{}
	root := newTuneCommand(global)
	root.PersistentFlags().StringVar(&global.config, "config", "", "settings `file` instead of the user's own")
	root.PersistentFlags().StringVar(&global.log, "log", "", "add a log of every decision, build and run to a `file`, as lines of JSON, for reports of bugs; see tune bug")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		return errors.Join(global.checkFile(), journal.Begin(global.log, os.Args, version.This().String()))
	}
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = version.Text()
	root.SetVersionTemplate("{{.Version}}")
	root.InitDefaultVersionFlag()
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	root.SetHelpCommand(newHelpCommand(root))
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if words := c.Flags().Args(); !c.HasParent() && isUnknownWord(words) {
			return unknownCommand(c, words[0])
		}
		return usage.Mistake(fmt.Errorf("%w; see %s --help", err, c.CommandPath()))
	})
	addGroup(root, "find", "Find what can be tuned, and see what is legal:",
		newListCommand(global), newScanCommand(global), newSpaceCommand(global), newDepsCommand(global), newScopCommand(), newLSPCommand(global))
	addGroup(root, "transform", "Transform, explain and check without timing:",
		newTransformCommand(global), newScheduleCommand(global), newLayersCommand(global), newExplainCommand(global), newCheckCommand(global), newStrategiesCommand())
	addGroup(root, "results", "Use what tune has found:",
		newBestCommand(global), newEmitCommand(global), newCCCommand(global), newAgainCommand(global))
	addGroup(root, "view", "Look at sessions and databases:",
		newStatusCommand(global), newReportCommand(global), newCompareCommand(global), newSimulateCommand(global), newExportCommand(global), newMergeCommand(), newBugCommand(global))
	addGroup(root, "machine", "Machines and clusters:",
		newMachineCommand(global), newSubmitCommand(global))
	root.AddCommand(newManualCommand(global))
	complete(root, global)
	showGroups(root)
	return root
}

// addGroup adds commands that the help shows under one title.
func addGroup(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
	}
	root.AddCommand(commands...)
}

// newHelpCommand is cobra's help, with an error for what is no command.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show what a command does",
		Long:    "Show what a command does, its flags, an example and its exit statuses." + exitStatusHelp(),
		Example: "  tune help transform",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, c := range root.Commands() {
				if len(args) == 0 && c.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			switch {
			case len(args) > 0 && (c == root || err != nil):
				return unknownCommand(root, args[0])
			case len(rest) > 0:
				return usage.Mistake(fmt.Errorf("%s has no command %q", c.CommandPath(), rest[0]))
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// isUnknownWord says whether the first of the words behind "tune" looks like a
// command rather than a file, and is no file.
func isUnknownWord(words []string) bool {
	if len(words) == 0 || filepath.Ext(words[0]) != "" {
		return false
	}
	_, err := os.Stat(words[0])
	return errors.Is(err, os.ErrNotExist)
}

// unknownCommand answers a first word that is neither a command nor a file,
// and says which commands there are.
func unknownCommand(root *cobra.Command, word string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	slices.Sort(names)
	suggestion := ""
	if near := root.SuggestionsFor(word); len(near) > 0 {
		suggestion = fmt.Sprintf("; did you mean tune %s?", near[0])
	}
	return usage.Mistake(fmt.Errorf("there is no command or C file %q; the commands are %s, and tune FILE.c or tune --bench NAME tunes%s",
		word, strings.Join(names, ", "), suggestion))
}

// exitStatusHelp is the last section of every command's help.
func exitStatusHelp(lines ...string) string {
	help := "\n\nEXIT STATUS\n  0   done\n  1   error\n  2   wrong usage\n"
	for _, line := range lines {
		help += "  " + line + "\n"
	}
	return help
}
