package pipeline

import (
	"fmt"
	"io"

	"polytune/internal/shellwords"
	"polytune/pipeline/buildflags"
)

// AsBuilt are the options for a file as its build compiles it, where a database says so
// (buildflags.Compiled) and the user has not given --build-flags; database is its path, "" for none.
// With an error, which is that of the database where one is named, they are the options without.
func (o *Options) AsBuilt(path string) (own Options, database string, err error) {
	own = *o
	if o.Program.BuildText == "" {
		words, database, err := buildflags.Compiled(path)
		if err != nil {
			return own, database, err
		}
		own.Program.BuildText = shellwords.Line(words)
		return own, database, own.Program.parse()
	}
	return own, "", own.Program.parse()
}

// withFlags adds to the error of a file that cannot be read with which flags it can be, where its build
// says so.
func (o *Options) withFlags(path string, source []byte, err error) error {
	if err == nil {
		return nil
	}
	own, database, failed := o.AsBuilt(path)
	if failed != nil || database == "" {
		return err
	}
	own.Notes, own.Refused = io.Discard, func(string, error) {}
	if _, failed := own.Regions(fileTarget(path), path, source); failed != nil {
		return err
	}
	return fmt.Errorf("%w; it can be read as %s has it, with --build-flags %s", err, buildflags.Here(database), shellwords.Quoted(buildflags.FromHere(own.Program.BuildText)))
}
