package frontend

import (
	"polytune/internal/ctext"
	"polytune/scop"
)

// Unit is a region of the file as code generation reads it. Of the region that is the program,
// and what takes its place, which may be others than those of f.Regions.
func (f *File) Unit(r *Region) scop.Unit {
	return scop.Unit{
		Program: r.Program, Original: r.asRead(f.Source), Taken: r.Names, Macros: r.Macros, Indent: r.Indent,
		Unused: r.OutsideIterators, Declarations: r.Declarations, Before: r.Beginnings, After: r.Endings,
		Place: func(code string) []byte { return r.Replace(f.Source, code) },
	}
}

// Replace is a source with code in the region's place, the two pragmas included.
func (r *Region) Replace(source []byte, code string) []byte {
	return ctext.Splice(source, r.PragmaStart, r.PragmaEnd, code)
}
