package scop

import "strings"

// Reference is how a reference of a statement is called where several to one array are told apart:
// the array's name and the subscripts, sums of multiples of the statement's iterators and the
// parameters, without blanks, as A[i-1][k]; "" where the subscripts are none.
func (p *Program) Reference(s *StatementModel, access int) string {
	rows, err := Subscripts(s.Accesses[access])
	if rows == nil || err != nil {
		return ""
	}
	text, iterators := s.Statement.Accesses[access].Array, p.IteratorNames(s.Index)
	for _, row := range rows {
		text += "[" + strings.ReplaceAll(row.Text(iterators, p.Parameters), " ", "") + "]"
	}
	return text
}
