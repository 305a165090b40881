package mpi

import "polytune/scop/ranks"

// Printing has tests spend no more on loops over elements, until restore is called.
func Printing(p ranks.Printing) (restore func()) {
	before := printing
	printing = p
	return func() { printing = before }
}
