package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/handout/listing"
	"polytune/internal/opendb"
	"polytune/internal/outfile"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/report"
	"polytune/report/live"
	"polytune/report/page"
)

type reportOptions struct {
	target  pipeline.Options
	kernel  string
	size    string
	machine string
	output  string
	format  string
	port    int
	serve   bool
}

// The formats of tune report.
const (
	formatHTML     = "html"
	formatMarkdown = "markdown"
	formatCSV      = "csv"
)

// formatSuffixes are the formats by the suffixes of file names.
var formatSuffixes = map[string]string{".html": formatHTML, ".htm": formatHTML, ".md": formatMarkdown, ".markdown": formatMarkdown, ".csv": formatCSV}

func newReportCommand(global *globalOptions) *cobra.Command {
	o := &reportOptions{}
	c := &cobra.Command{
		Use:   "report [TARGET] -o FILE",
		Short: "Write what was found as a page with figures, as Markdown, or as CSV",
		Long: `Write what the database has, all of it or that of one TARGET or kernel.

HTML is one self-contained page: a summary, speed-ups with their intervals,
all variants of each kernel by time, tile sizes, sessions, machines compared,
and where every number comes from. It needs no network; a script of its own sorts
tables, and without that all is there, too.
Markdown is the summary as a table. CSV has a row for every trial, with all
that is known of it but its samples.

The format is that of FILE's suffix (.html, .md, .csv) unless --format says.

--serve shows the report in a browser instead, live, until Ctrl-C: timings appear as
they come, each mark says what it is, and opens to the recipe, the code beside the
original, and where objdump is there the machine code of its hot loop with the lines of
the code and of the recipe that it is from. Only this machine's own address answers;
elsewhere ssh -L 8471:127.0.0.1:8471 leads to it.
The code of files is shown where they are named: tune report FILE --serve.` + exitStatusHelp(),
		Example: "  tune report -o report.html\n  tune report --kernel 2mm --format markdown\n  tune report kernel.c -o kernel.html\n  tune report --db merged.db -o trials.csv\n  tune report --serve",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			if o.serve = c.Flags().Changed("serve"); o.serve {
				return runServe(c.Context(), c.OutOrStdout(), o, args, settings)
			}
			return runReport(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	targetFlags(c.Flags(), &o.target)
	privatizeFlag(c.Flags(), &o.target, true)
	reassociateFlag(c.Flags(), &o.target)
	selectionFlags(c, &o.kernel, &o.size, &o.machine)
	c.Flags().StringVarP(&o.output, "output", "o", "-", "the `file` to write; - is standard output")
	c.Flags().StringVar(&o.format, "format", "", "html, markdown or csv")
	completeFlag(c, "format", func() []string { return []string{"html", "markdown", "csv"} })
	c.Flags().Var(portFlag{&o.port}, "serve", "show the report in a browser, live, at a `port` of this machine's own address: 8471, or another one that is free, where none is named")
	c.Flags().Lookup("serve").NoOptDefVal = usualPort
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
	return c
}

// usualPort stands for the port that is tried first, or another one.
const usualPort = "auto"

// portFlag reads a port: -1 is usualPort, and 0 any that is free.
type portFlag struct{ port *int }

func (f portFlag) Type() string   { return "port" }
func (f portFlag) String() string { return "" }

func (f portFlag) Set(text string) error {
	port, err := strconv.ParseUint(text, 10, 16)
	*f.port = int(port)
	switch {
	case text == usualPort:
		*f.port = -1
	case err != nil:
		return errors.New("it is a port from 1 to 65535, or 0 for any that is free")
	}
	return nil
}

// runServe serves the report until ctx ends.
func runServe(ctx context.Context, w io.Writer, o *reportOptions, args []string, settings configs.Settings) (err error) {
	if o.format != "" || o.output != "-" {
		return usage.Mistake(errors.New("--serve writes no file; leave out --output and --format"))
	}
	if len(args) > 0 {
		if _, err := strconv.ParseUint(args[0], 10, 16); err == nil {
			return usage.Mistake(fmt.Errorf("the port stands behind an equals sign: --serve=%s", args[0]))
		}
	}
	selection, err := o.selection(args)
	if err != nil {
		return err
	}
	db, err := opendb.ToRead(ctx, os.Stderr, settings.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	listener, err := live.Listen(o.port)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the report is at http://%s/ until Ctrl-C\n", listener.Addr())
	source := &listing.Source{DB: db, Settings: settings, Options: o.target, Arguments: args}
	return live.Serve(ctx, listener, live.Options{
		Read: func(ctx context.Context) (*live.State, error) {
			return live.Read(ctx, selection, settings.Measurement.Indifference, db)
		},
		Changed: db.Version, Code: source.Code, Interval: time.Second,
	})
}

// selectionFlags are those that restrict what is shown.
func selectionFlags(c *cobra.Command, kernel, size, machine *string) {
	c.Flags().StringVar(kernel, "kernel", "", "only the kernel of this `name`, such as polybench/2mm or 2mm")
	c.Flags().StringVar(size, "size", "", "only results for this problem `size`")
	c.Flags().StringVar(machine, "machine", "", "only results of this `machine`, by id or name")
}

// chooseFormat is the format to write.
func (o *reportOptions) chooseFormat() (string, error) {
	format := strings.ToLower(o.format)
	switch format {
	case "":
		format = formatSuffixes[strings.ToLower(filepath.Ext(o.output))]
	case "md":
		format = formatMarkdown
	}
	switch format {
	case formatHTML, formatMarkdown, formatCSV:
		return format, nil
	case "":
		return "", usage.Mistake(fmt.Errorf("which format is %s? Give a file that ends in .html, .md or .csv, or --format html, markdown or csv", o.output))
	}
	return "", usage.Mistake(fmt.Errorf("there is no format %q; choose html, markdown or csv", o.format))
}

func runReport(ctx context.Context, w io.Writer, o *reportOptions, args []string, settings configs.Settings) error {
	format, err := o.chooseFormat()
	if err != nil {
		return err
	}
	selection, err := o.selection(args)
	if err != nil {
		return err
	}
	db, err := opendb.ToRead(ctx, os.Stderr, settings.DB)
	if err != nil {
		return err
	}
	defer db.Close()
	if format == formatCSV {
		return outfile.Stream(w, o.output, func(out io.Writer) error { return report.CSV(ctx, out, selection, db) })
	}
	findings, err := report.Gather(ctx, selection, settings.Measurement.Indifference, db)
	if err != nil {
		return err
	}
	if err := checkFound(findings, selection); err != nil {
		return err
	}
	return outfile.Stream(w, o.output, func(out io.Writer) error {
		if format == formatMarkdown {
			return report.Markdown(out, findings)
		}
		return page.Write(out, findings, time.Now())
	})
}

// selection is what the command line asks for.
func (o *reportOptions) selection(args []string) (report.Selection, error) {
	s := report.Selection{Kernel: o.kernel, Size: o.size, Machine: o.machine}
	if len(args) == 0 && o.target.Bench == "" {
		return s, nil
	}
	targets, err := o.target.All(args)
	if err != nil {
		return s, err
	}
	for _, t := range targets {
		id, err := t.Hash(&o.target)
		if err != nil {
			return s, err
		}
		s.KernelIDs = append(s.KernelIDs, id.ID, id.Earlier)
	}
	return s, nil
}

// checkFound wants results of what was asked for by name; a database in which nothing was
// tuned yet has an empty report.
func checkFound(f *report.Findings, selection report.Selection) error {
	if len(f.Cells) > 0 || selection.All() {
		return nil
	}
	known := "nothing was tuned yet"
	if len(f.Kernels) > 0 {
		known = "there are " + strings.Join(f.Kernels, ", ")
	}
	return fmt.Errorf("%s has no result of this kernel, source, size and machine; %s", strings.Join(f.Databases, " and "), known)
}
