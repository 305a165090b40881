// Package journal keeps a log of what a command does, for reports of bugs: decisions of the models,
// builds, runs, and what became of variants, a line of JSON each. Whoever has something to say calls
// log/slog; without a file nobody hears it.
package journal

import (
	"fmt"
	"log/slog"
	"os"
)

// Discard keeps no log, as long as Begin is not called.
func Discard() { slog.SetDefault(slog.New(slog.DiscardHandler)) }

// Begin adds to the log in a file, which it makes where there is none: first the command line and the
// version of the program. "" is no file.
func Begin(path string, arguments []string, version string) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("cannot write the log: %w; name another file with --log", err)
	}
	slog.SetDefault(slog.New(slog.NewJSONHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug})))
	folder, _ := os.Getwd()
	slog.Info("begin", "arguments", arguments, "folder", folder, "version", version)
	return nil
}

// Longest bounds a text that is quoted in the log, in bytes.
const Longest = 4000

// Quote is a text as the log has it, cut where it is too long.
func Quote(text []byte) string {
	if len(text) > Longest {
		return string(text[:Longest]) + "…"
	}
	return string(text)
}
