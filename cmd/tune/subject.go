package main

import (
	"fmt"
	"os"
	"path/filepath"

	"polytune/runner"
)

// dataSeed selects the data that drivers fill arrays with: the same always, so
// that sessions compare.
const dataSeed = 1

// subject is what makes programs of the target's variants.
func (o *targetOptions) subject(t *target) (runner.Subject, error) {
	options, err := o.driver.options(t, os.Stderr)
	if err != nil {
		return runner.Subject{}, err
	}
	driver, err := runner.GenerateDriver(t.region.Program.Function, options)
	if err != nil {
		return runner.Subject{}, err
	}
	folder, err := filepath.Abs(filepath.Dir(t.path))
	if err != nil {
		return runner.Subject{}, fmt.Errorf("the folder of %s: %w", t.path, err)
	}
	return runner.Subject{Harness: driver, SourceDir: folder, Preprocessor: o.compilerArguments()}, nil
}
