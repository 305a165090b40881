package harness

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"polytune/frontend"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/runner"
)

// driverOptionsOf are those of the driver of the target's function.
func driverOptionsOf(o *pipeline.DriverOptions, t *pipeline.Target, w io.Writer) (runner.DriverOptions, error) {
	given := map[string][]string{}
	for _, item := range o.Extents {
		name, list, found := strings.Cut(item, "=")
		if !found || name == "" || list == "" {
			return runner.DriverOptions{}, usage.Mistake(fmt.Errorf("extents are written NAME=N,M with one expression for each dimension, not %q", item))
		}
		given[name] = strings.Split(list, ",")
	}
	accessed, err := accessed(t, given, w)
	if err != nil {
		return runner.DriverOptions{}, err
	}
	subscripts, indices, err := subscripts(t)
	if err != nil {
		return runner.DriverOptions{}, err
	}
	options := runner.DriverOptions{Subscripts: subscripts, Indices: indices, HasInit: t.Region.HasInit, InitWithout: t.Region.InitTakesNothing, Extents: given, Accessed: accessed, Seed: dataSeed}
	if o.Init == "" {
		return options, nil
	}
	return options, includeInit(o, t, &options)
}

// includeInit makes the driver use the file of --init.
func includeInit(o *pipeline.DriverOptions, t *pipeline.Target, options *runner.DriverOptions) error {
	text, err := os.ReadFile(o.Init)
	if err != nil {
		return fmt.Errorf("--init: cannot read the file: %w", err)
	}
	if options.Include, err = filepath.Abs(o.Init); err != nil {
		return fmt.Errorf("--init: the folder of %s: %w", o.Init, err)
	}
	if strings.ContainsAny(options.Include, "\"\\\n") {
		return fmt.Errorf("--init: C cannot include a file with the name %q", options.Include)
	}
	if t.Region.HasInit {
		return fmt.Errorf("--init: %s defines %s_init already; remove one of them", t.File.Path, t.Region.Function)
	}
	options.IncludeHash = fmt.Sprintf("%x", sha256.Sum256(text))
	// The front end looks for all headers in folders.
	folder, err := filepath.Abs(filepath.Dir(t.File.Path))
	if err != nil {
		return fmt.Errorf("--init: the folder of %s: %w", t.File.Path, err)
	}
	relative, err := filepath.Rel(folder, options.Include)
	if err != nil {
		return fmt.Errorf("--init: %w", err)
	}
	source := fmt.Sprintf("%s\n#include \"%s\"\n", t.File.Source, relative)
	file, err := frontend.Parse(t.File.Path, []byte(source), t.Parsing)
	if err != nil {
		return fmt.Errorf("--init: %w", err)
	}
	for _, region := range file.Regions {
		if region.Start == t.Region.Start {
			options.HasInit, options.InitWithout = region.HasInit, region.InitTakesNothing
		}
	}
	if !options.HasInit {
		return fmt.Errorf("--init: %s does not define %s_init with the arguments of %s, or with none", o.Init, t.Region.Function, t.Region.Function)
	}
	return nil
}
