// Package limit bounds the work of isl: in operations, which are the same on all machines, and in
// processor time, which several computations may share. All isl contexts of the pipeline have
// limits by it.
package limit
