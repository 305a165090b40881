package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"polytune/frontend"
	"polytune/internal/usage"
	"polytune/runner"
)

// driverOptions say what a generated driver cannot know of a function.
type driverOptions struct {
	extents []string
	init    string
}

// options are those of the driver of the target's function.
func (o *driverOptions) options(t *target, w io.Writer) (runner.DriverOptions, error) {
	given := map[string][]string{}
	for _, item := range o.extents {
		name, list, found := strings.Cut(item, "=")
		if !found || name == "" || list == "" {
			return runner.DriverOptions{}, usage.Mistake(fmt.Errorf("extents are written NAME=N,M with one expression for each dimension, not %q", item))
		}
		given[name] = strings.Split(list, ",")
	}
	accessed, err := t.accessed(given, w)
	if err != nil {
		return runner.DriverOptions{}, err
	}
	subscripts, indices, err := t.subscripts()
	if err != nil {
		return runner.DriverOptions{}, err
	}
	options := runner.DriverOptions{Subscripts: subscripts, Indices: indices, HasInit: t.region.HasInit, InitWithout: t.region.InitTakesNothing, Extents: given, Accessed: accessed, Seed: dataSeed}
	if o.init == "" {
		return options, nil
	}
	return options, o.include(t, &options)
}

// include makes the driver use the file of --init.
func (o *driverOptions) include(t *target, options *runner.DriverOptions) error {
	text, err := os.ReadFile(o.init)
	if err != nil {
		return fmt.Errorf("--init: cannot read the file: %w", err)
	}
	if options.Include, err = filepath.Abs(o.init); err != nil {
		return fmt.Errorf("--init: the folder of %s: %w", o.init, err)
	}
	if strings.ContainsAny(options.Include, "\"\\\n") {
		return fmt.Errorf("--init: C cannot include a file with the name %q", options.Include)
	}
	if t.region.HasInit {
		return fmt.Errorf("--init: %s defines %s_init already; remove one of them", t.file.Path, t.region.Function)
	}
	options.IncludeHash = fmt.Sprintf("%x", sha256.Sum256(text))
	// The front end looks for all headers in folders.
	folder, err := filepath.Abs(filepath.Dir(t.file.Path))
	if err != nil {
		return fmt.Errorf("--init: the folder of %s: %w", t.file.Path, err)
	}
	relative, err := filepath.Rel(folder, options.Include)
	if err != nil {
		return fmt.Errorf("--init: %w", err)
	}
	source := fmt.Sprintf("%s\n#include \"%s\"\n", t.file.Source, relative)
	file, err := frontend.Parse(t.file.Path, []byte(source), t.parsing)
	if err != nil {
		return fmt.Errorf("--init: %w", err)
	}
	for _, region := range file.Regions {
		if region.Start == t.region.Start {
			options.HasInit, options.InitWithout = region.HasInit, region.InitTakesNothing
		}
	}
	if !options.HasInit {
		return fmt.Errorf("--init: %s does not define %s_init with the arguments of %s, or with none", o.init, t.region.Function, t.region.Function)
	}
	return nil
}
