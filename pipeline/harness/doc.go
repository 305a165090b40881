// Package harness says how programs of a target are built, called and timed: with data of which
// extents a function is called, at which sizes results are compared, what a whole program is run
// with.
package harness
