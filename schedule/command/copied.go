package command

import (
	"polytune/schedule"
	"polytune/scop"
)

// CopiedBy is the array of which a command of the program's recipe has elements copied; "" for other
// commands.
func CopiedBy(p *scop.Program, c schedule.Command) string {
	switch c := c.(type) {
	case Pack:
		return p.Statements[c.Statement].Accesses[c.Reference].Array
	case Copy:
		return c.Array
	}
	return ""
}
