package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"polytune/internal/pattern"
	"polytune/internal/usage"
	"polytune/internal/version"
)

func newManualCommand(*globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:     "manual FOLDER",
		Short:   "Write the manual pages of all commands",
		Long:    "Write the manual pages of all commands, as man reads them, into a folder such as\n~/.local/share/man/man1." + exitStatusHelp(),
		Example: "  tune manual ~/.local/share/man/man1",
		Args:    cobra.MatchAll(maximumArgs(1), folderArgument),
		Hidden:  true,
		RunE: func(_ *cobra.Command, args []string) error {
			return writeManual(args[0])
		},
	}
}

func folderArgument(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage.Mistake(fmt.Errorf("name the folder for the pages; see %s --help", c.CommandPath()))
	}
	return nil
}

// writeManual writes a page for each command that people see.
func writeManual(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("the folder for the manual: %w", err)
	}
	root := newRootCommand()
	root.DisableAutoGenTag = true
	root.InitDefaultHelpCmd()
	for _, c := range append(root.Commands(), root) {
		c.Long = manualText(c.Long)
	}
	date := revisionTime()
	header := &doc.GenManHeader{Title: "TUNE", Section: "1", Source: "polytune " + version.This().String(), Manual: "polytune", Date: &date}
	if err := doc.GenManTree(root, header, folder); err != nil {
		return fmt.Errorf("the manual in %s: %w", filepath.Clean(folder), err)
	}
	return nil
}

// manualHeading is a heading within the long help, such as EXIT STATUS.
var manualHeading = pattern.New(`^[A-Z]{2,}(?: [A-Z]{2,})*(?: of .*)?$`)

// manualText is a command's long help as Markdown, of which the manual is made:
// headings, and indented lines that stay lines.
func manualText(help string) string {
	lines := strings.Split(help, "\n")
	for i, line := range lines {
		switch {
		case manualHeading.MatchString(line):
			lines[i] = "# " + line + "\n"
		case strings.HasPrefix(line, "  "):
			lines[i] = "    " + line
		}
	}
	return strings.Join(lines, "\n")
}

// revisionTime is when the program's source was committed; the beginning of 1970
// where that is not known, so that the pages of a build are always the same.
func revisionTime() time.Time {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return time.Unix(0, 0).UTC()
	}
	for _, setting := range info.Settings {
		if setting.Key != "vcs.time" {
			continue
		}
		if t, err := time.Parse(time.RFC3339, setting.Value); err == nil {
			return t
		}
	}
	return time.Unix(0, 0).UTC()
}
