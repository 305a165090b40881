package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"polytune/configs"
	"polytune/frontend"
)

// warnOfMacros says which of the regions of a file are another program with the flags of
// the compiler, for timing or for comparing, than as they were read, because macros that
// these define decide about types or bounds. The front end is not told of these flags:
// the two sets differ, and only those of --build-flags are the same in both.
func (o *targetOptions) warnOfMacros(w io.Writer, targets []*target, compiler configs.Toolchain) {
	for _, flags := range [][]string{compiler.Flags, compiler.CheckFlags} {
		files := map[string]*frontend.File{}
		for _, t := range targets {
			if t.path == "" {
				continue
			}
			if _, read := files[t.path]; !read {
				files[t.path] = t.readWith(flags)
			}
			if file := files[t.path]; file != nil && t.isOtherIn(file) {
				fmt.Fprintf(w, "%s: warning: with the compiler's flags %s the region is another program than without, and polytune reads it without them; "+
					"something depends on macros such as __OPTIMIZE__. Give those that matter in --build-flags, so that all agree\n", t.name, strings.Join(flags, " "))
			}
		}
	}
}

// readWith is the target's file as the front end reads it with flags of the compiler
// too, nil where it cannot.
func (t *target) readWith(flags []string) *frontend.File {
	var f buildFlags
	for words, err := slices.Clone(flags), error(nil); len(words) > 0; {
		if words, err = f.take(words); err != nil {
			return nil
		}
	}
	own, options := f.parsing(), t.parsing
	options.CompilerOptions = slices.Concat(own.CompilerOptions, options.CompilerOptions)
	options.IncludePaths = slices.Concat(own.IncludePaths, options.IncludePaths)
	options.Defines, options.Includes = slices.Concat(own.Defines, options.Defines), slices.Concat(own.Includes, options.Includes)
	if !frontend.MayDiffer(t.file.Original, t.parsing, options) {
		return t.file
	}
	file, err := frontend.Parse(t.path, t.file.Original, options)
	if err != nil {
		return nil
	}
	return file
}

// isOtherIn says that the region is another program in the file, which is the target's,
// read in another way.
func (t *target) isOtherIn(file *frontend.File) bool {
	for _, region := range file.Regions {
		if region.Start == t.region.Start && region.Program != nil {
			return programHash(*region.Program, false) != t.regionHash(false)
		}
	}
	return true
}
