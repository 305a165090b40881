package pipeline

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"polytune/configs"
	"polytune/frontend"
	"polytune/pipeline/buildflags"
)

// WarnOfMacros says which of the regions of a file are another program with the flags of
// the compiler, for timing or for comparing, than as they were read, because macros that
// these define decide about types or bounds. The front end is not told of these flags:
// the two sets differ, and only those of --build-flags are the same in both.
func (o *Options) WarnOfMacros(w io.Writer, targets []*Target, compiler configs.Toolchain) {
	for _, flags := range [][]string{compiler.Flags, compiler.CheckFlags} {
		files := map[string]*frontend.File{}
		for _, t := range targets {
			if t.Path == "" {
				continue
			}
			if _, read := files[t.Path]; !read {
				files[t.Path] = readWith(t, flags)
			}
			if file := files[t.Path]; file != nil && isOtherIn(t, file) {
				fmt.Fprintf(w, "%s: warning: with the compiler's flags %s the region is another program than without, and polytune reads it without them; "+
					"something depends on macros such as __OPTIMIZE__. Give those that matter in --build-flags, so that all agree\n", t.Name, strings.Join(flags, " "))
			}
		}
	}
}

// readWith is the target's file as the front end reads it with flags of the compiler
// too, nil where it cannot.
func readWith(t *Target, flags []string) *frontend.File {
	var f buildflags.Flags
	for words, err := slices.Clone(flags), error(nil); len(words) > 0; {
		if words, err = f.Take(words); err != nil {
			return nil
		}
	}
	own, options := f.Parsing(), t.Parsing
	options.CompilerOptions = slices.Concat(own.CompilerOptions, options.CompilerOptions)
	options.IncludePaths = slices.Concat(own.IncludePaths, options.IncludePaths)
	options.Defines, options.Includes = slices.Concat(own.Defines, options.Defines), slices.Concat(own.Includes, options.Includes)
	if !frontend.MayDiffer(t.File.Original, t.Parsing, options) {
		return t.File
	}
	file, err := frontend.Parse(t.Path, t.File.Original, options)
	if err != nil {
		return nil
	}
	return file
}

// isOtherIn says that the region is another program in the file, which is the target's,
// read in another way.
func isOtherIn(t *Target, file *frontend.File) bool {
	for _, region := range file.Regions {
		if region.Start == t.Region.Start && region.Program != nil {
			return programHash(*region.Program, false) != t.RegionHash(false)
		}
	}
	return true
}
