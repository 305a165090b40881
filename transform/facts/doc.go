// Package facts answers questions about programs, dependences and loops that strategies ask: how
// accesses move along loops, what they use again, which rows follow iterators, what dependences
// allow. An answer depends on its arguments alone. The package knows no recipes and no options, and
// decides nothing.
//
// # Where to find what
//
//   - what a band is: band.go; how accesses move along loops: movement.go; what is used again:
//     reuse.go, footprint.go; which rows are iterators: rows.go; lines in the first cache: sets.go;
//     what dependences allow: dependences.go; walks through matrices: walk.go
//   - numbers of the models, with unit and source: numbers.go
package facts
