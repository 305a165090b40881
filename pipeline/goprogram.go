package pipeline

import (
	"context"
	"errors"

	"polytune/frontend"
	"polytune/language"
)

// GoProgram is the front end of an algorithm in Go: it is read as the C that it is made into, with
// places in the Go file.
type GoProgram struct {
	*CFile
	Program *language.Program
}

// Units reads the function and gives its region.
func (g *GoProgram) Units(ctx context.Context) ([]Unit, error) {
	units, err := g.CFile.Units(ctx)
	if list := (frontend.ErrorList)(nil); errors.As(err, &list) {
		g.place(list)
	}
	for k := range units {
		u := &units[k]
		u.Unused = append(u.Unused, g.Program.Locals...)
		for k := range u.Program.Statements {
			s := &u.Program.Statements[k]
			for a := range s.Accesses {
				s.Accesses[a].Line = g.Program.Place(s.Accesses[a].Line).Line
			}
			s.Line = g.Program.Place(s.Line).Line
		}
		g.place(u.Region.Warnings)
		g.place(u.Region.IfReordered)
	}
	return units, err
}

// place gives messages their places in Go.
func (g *GoProgram) place(list frontend.ErrorList) {
	for _, e := range list {
		at := g.Program.Place(e.Line)
		e.File, e.Line = at.File, at.Line
	}
}
