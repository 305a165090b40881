package pipeline

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/internal/oneline"
	"polytune/scop"
	"polytune/target/gpu"
)

// Frontend reads programs of some language.
type Frontend interface {
	// Units are the programs that are asked for, in their order in the text; none where there is no
	// such one.
	Units(context.Context) ([]Unit, error)
}

// Unit is a program that a front end has read.
type Unit struct {
	scop.Unit
	// File and Region are its place in a C file; nil for programs that come from something else,
	// which can be transformed and cannot be built and called yet.
	File   *frontend.File
	Region *frontend.Region
}

// CFile is the front end of a C file, or of a built-in benchmark, which is one: its programs stand
// between pragmas.
type CFile struct {
	// Path is the file's name, Source its text, and Parsing how it is read. Options of the compiler
	// with which this front end fails are taken out of Parsing, unless it is to be Exact, and Notes
	// is told so.
	Path    string
	Source  []byte
	Parsing frontend.Options
	Exact   bool
	Notes   io.Writer
	// Refused takes why a region is refused where others of the file are not; with nil one such
	// region is an error.
	Refused func(region string, why error)
	// File is what was read.
	File *frontend.File
}

// Units reads the file and gives its regions.
func (c *CFile) Units(context.Context) (units []Unit, err error) {
	if c.File, err = c.parse(); err != nil {
		return nil, err
	}
	for i := range c.File.Regions {
		region, name := &c.File.Regions[i], fmt.Sprintf("%s:%d", c.Parsing.KernelName, i+1)
		switch {
		case region.Refused != nil:
			c.Refused(name, region.Refused)
		case region.Program != nil:
			if len(c.File.Regions) > 1 {
				region.Program.Name = name
			}
			units = append(units, Unit{c.File.Unit(region), c.File, region})
		}
	}
	return units, nil
}

// parse reads the file. Options of --build-flags with which polytune's front end fails, as
// with a header of intrinsics that -march=native asks for, are left out.
func (c *CFile) parse() (*frontend.File, error) {
	c.Parsing.Each = c.Refused != nil
	file, err := frontend.Parse(c.Path, c.Source, c.Parsing)
	if err == nil || c.Exact || len(c.Parsing.CompilerOptions) == 0 {
		return file, err
	}
	plain := c.Parsing
	plain.CompilerOptions = nil
	other, failed := frontend.Parse(c.Path, c.Source, plain)
	if failed != nil {
		return nil, err
	}
	fmt.Fprintf(c.Notes, "%s: read as if it were not for %s, with which polytune cannot read it: %s\n",
		c.Path, strings.Join(c.Parsing.CompilerOptions, " "), oneline.First(err.Error()))
	c.Parsing = plain
	return other, nil
}

// Parsing is how a file is read that may have no region.
func (o *Options) Parsing(path string) (frontend.Options, error) {
	if err := o.Program.parse(); err != nil {
		return frontend.Options{}, err
	}
	return o.parsing(KernelName(path), path), nil
}

// parsing is how a file is read whose kernel has that name.
func (o *Options) parsing(name, path string) frontend.Options {
	parsing := o.Program.Build.Parsing()
	parsing.QuotePaths = append(parsing.QuotePaths, filepath.Dir(path))
	parsing.IncludePaths = slices.Concat(o.IncludePaths, parsing.IncludePaths)
	parsing.Defines = slices.Concat(o.Defines, parsing.Defines)
	parsing.KernelName, parsing.AssumeNoAlias, parsing.AssumePure = name, o.AssumeNoAlias, o.AssumePure
	parsing.Function, parsing.Number = o.Function, o.Region
	_, parsing.WriteMacros = o.on().(gpu.Target)
	return parsing
}
