package harness

import (
	"fmt"
	"path/filepath"

	"polytune/pipeline"
	"polytune/runner"
)

// dataSeed selects the data that drivers fill arrays with: the same always, so
// that sessions compare.
const dataSeed = 1

// Subject is what makes programs of the target's variants.
func Subject(o *pipeline.Options, t *pipeline.Target) (runner.Subject, error) {
	harness, err := harnessOf(o, t)
	if err != nil {
		return runner.Subject{}, err
	}
	folder, err := filepath.Abs(filepath.Dir(t.Path))
	if err != nil {
		return runner.Subject{}, fmt.Errorf("the folder of %s: %w", t.Path, err)
	}
	build := o.Program.Build
	return runner.Subject{
		Harness: harness, SourceDir: folder, Preprocessor: o.CompilerArguments(), Arguments: build.Compiler,
		Sources: o.Program.OtherSources(t), Objects: build.Objects,
	}, nil
}

// harnessOf runs a whole program as it is, and a function by a driver.
func harnessOf(o *pipeline.Options, t *pipeline.Target) (runner.Harness, error) {
	if t.IsProgram {
		return program(&o.Program, t)
	}
	options, err := driverOptionsOf(&o.Driver, t, o.Told())
	if err != nil {
		return nil, err
	}
	return t.On.Harness(t.Unit, options)
}
