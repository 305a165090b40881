package main

import (
	"fmt"
	"path/filepath"

	"polytune/runner"
)

// dataSeed selects the data that drivers fill arrays with: the same always, so
// that sessions compare.
const dataSeed = 1

// subject is what makes programs of the target's variants.
func (o *targetOptions) subject(t *target) (runner.Subject, error) {
	harness, err := o.harness(t)
	if err != nil {
		return runner.Subject{}, err
	}
	folder, err := filepath.Abs(filepath.Dir(t.path))
	if err != nil {
		return runner.Subject{}, fmt.Errorf("the folder of %s: %w", t.path, err)
	}
	build := o.program.build
	return runner.Subject{
		Harness: harness, SourceDir: folder, Preprocessor: o.compilerArguments(), Arguments: build.compiler,
		Sources: o.program.otherSources(t), Objects: build.objects,
	}, nil
}

// harness runs a whole program as it is, and a function by a driver.
func (o *targetOptions) harness(t *target) (runner.Harness, error) {
	if t.isProgram {
		return o.program.harness(t)
	}
	options, err := o.driver.options(t, o.told())
	if err != nil {
		return nil, err
	}
	return runner.GenerateDriver(t.region.Program.Function, options)
}
