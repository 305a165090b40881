// Package pipeline leads from a C file or a built-in benchmark to programs that can be
// transformed: it knows no command line. Options say what is meant and what is done to a program
// before schedules of it are sought; a Target is one region of it. The folders below make
// something of targets: variant transforms them, choices has the variants that a session may
// try, harness builds and calls them, remedy says what keeps them in order.
//
// # Where to find what
//
//   - what flags become: target.go (Options), driveroptions.go, models.go, deviceoptions.go; the
//     flags: cmd/tune/targetflags.go
//   - which languages are read: frontend.go; what a unit is: scop/unit.go; that of C:
//     frontend/unit.go; that of algorithms in Go: pipeline/goprogram.go
//   - the order of the stages: target.go (programs), graph.go; recipes and code:
//     pipeline/variant/variant.go; one variant of each region: request.go
//   - what computations for one region share: workplace.go (an isl context, models and dependence
//     graphs of programs); what was found out about a model: scop/known.go; what lasts until
//     objects of isl are released, such as proofs of recipes and boxes of kernels: isl/remember.go,
//     schedule/recipe.go, scop/boxes/search.go; short numbers of isl's, without memory of their
//     own: isl/numbers.h
//   - programs that are made of the one that was read: inplace.go, untile.go, store.go
//   - why so: docs/decisions/0006-models-and-spaces.md
package pipeline
