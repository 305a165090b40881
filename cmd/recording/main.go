// Command recording runs a command on a terminal of its own and draws what it shows as a moving
// picture: an SVG file with real text, animated by CSS alone.
//
//	make recording                                            the picture of the README
//	go run ./cmd/recording -o help.svg -- tune --help          any other command
//	go run ./cmd/recording -o space.svg -columns 80 -pause 200ms -- tune space --bench 2mm
//
// Pauses longer than -pause are shortened, and a caption says so. The last screen stays for -hold;
// then the picture begins again. Readers whose system asks for less motion, and programs that do
// not animate, see the last screen alone.
//
// The command reads nothing: its input is empty. A command that fails is drawn too. Ctrl-C, and the
// end of -limit, interrupt the command, and what it has shown until then is drawn.
//
// EXIT STATUS: that of the command; 128 and the signal's number if a signal ended it; 127 if it
// could not be started; 1 if it was stopped from here or the file could not be written; 2 usage.
//
// # Where to find what
//
//   - the pseudo terminal, and who stops the command: terminal.go
//   - what control sequences do: screen.go; how wide letters are: width.go
//   - times, pauses and frames: film.go
//   - the picture: svg.go
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"polytune/internal/outfile"
	"polytune/internal/shellwords"
)

// Exit statuses beside those of the command.
const (
	statusFailed     = 1
	statusUsage      = 2
	statusNotStarted = 127
)

// errUsage says that the flags or arguments are no good; the message is written already.
var errUsage = errors.New("usage")

// options are what the command line says.
type options struct {
	path          string
	columns, rows int
	pause, hold   time.Duration
	limit         time.Duration
	command       []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run does what the arguments say and gives the exit status.
func run(ctx context.Context, arguments []string, stdout, messages io.Writer) int {
	o, err := parseOptions(arguments, messages)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return statusUsage
	}
	if _, err := os.Stat(filepath.Dir(o.path)); err != nil { // before minutes are spent
		fmt.Fprintln(messages, "recording:", err)
		return statusFailed
	}
	shown, err := record(ctx, o)
	if err != nil {
		fmt.Fprintln(messages, "recording:", err)
		return statusNotStarted
	}
	status := shown.status
	if shown.stopped != "" {
		fmt.Fprintln(messages, "recording: the command was stopped:", shown.stopped)
		status = statusFailed
	}
	picture := draw(newFilm(shown, o), shellwords.Line(o.command))
	if err := outfile.Stream(stdout, o.path, func(w io.Writer) error {
		_, err := w.Write(picture)
		return err
	}); err != nil {
		fmt.Fprintln(messages, "recording:", err)
		return statusFailed
	}
	fmt.Fprintf(messages, "recording: %s, %d bytes\n", o.path, len(picture))
	return status
}

// parseOptions reads flags and arguments.
func parseOptions(arguments []string, messages io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("recording", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.StringVar(&o.path, "o", "recording.svg", "the `file` to write, - for standard output")
	flags.IntVar(&o.columns, "columns", 100, "columns of the terminal")
	flags.IntVar(&o.rows, "rows", 30, "rows of the terminal; the picture has as many as are used")
	flags.DurationVar(&o.pause, "pause", time.Second, "the longest pause to show")
	flags.DurationVar(&o.hold, "hold", 8*time.Second, "how long the last screen stays")
	flags.DurationVar(&o.limit, "limit", 10*time.Minute, "when to interrupt the command")
	flags.Usage = func() {
		fmt.Fprintln(messages, "usage: recording [flags] -- COMMAND [ARGUMENT…]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(arguments); err != nil {
		return o, err
	}
	o.command = flags.Args()
	problem := ""
	switch {
	case len(o.command) == 0:
		problem = "there is no command to run"
	case o.columns < 10 || o.columns > 500 || o.rows < 2 || o.rows > 500:
		problem = "a terminal has 10 to 500 columns and 2 to 500 rows"
	case o.pause <= 0 || o.hold <= 0 || o.limit <= 0:
		problem = "-pause, -hold and -limit are above 0"
	}
	if problem != "" {
		fmt.Fprintln(messages, "recording:", problem)
		flags.Usage()
		return o, errUsage
	}
	return o, nil
}
