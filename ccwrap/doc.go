// Package ccwrap compiles as the C compiler does, with the best known variants of regions in
// place: it is what tune cc does.
//
// # Where to find what
//
//   - which words of a compiler are understood: arguments.go, optionfile.go
//   - which variant takes a region's place: variant.go, store/region.go
//   - what the compiler gets: compile.go, and without messages of its own: quiet.go
//   - why so: docs/decisions/0106-tune-cc.md
package ccwrap
