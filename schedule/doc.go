// Package schedule holds the schedule of a program as a tree of named loops,
// and the scheduling language: commands that build and change the tree, each
// with a text form. A recipe is a list of commands; replaying it gives the
// same tree.
//
// The tree is plain data. Tree.Schedule lowers it to an isl schedule tree, on
// which depend.Graph.Check proves legality and from which code is generated.
//
// # Where to find what
//
//   - the tree: tree.go; how commands move loops and statements in it: surgery.go;
//     schedule/command/points.go (which loops may get other rows), interchange.go, reorder.go,
//     unimodular.go, after.go, fuse.go; the shifts of a fusion: shifting.go; iterations one after
//     the other, or a few lanes at a time: codegen/unroll.go
//   - how it becomes an isl schedule tree: lower.go, coordinates.go; marks that commands make while
//     it does: request.go; two of them, for very many statements: stages.go, codegen/stages.go;
//     full stretches of statements: schedule/apart.go, option.go
//   - recipes: recipe.go; how commands are read, written and told of: spec.go, syntax.go, kinds.go,
//     say.go; arguments without a value: hole.go; words of other systems: elsewhere.go
//   - what a loop is called: loopname.go (names of the source, those that recipes give, which are
//     near), given.go (what a name may be); how a recipe with them becomes one with own names, and
//     is printed with them: written.go
//   - maps as schedules: maps.go, quasi.go; what isl reads: times.go; values that no expression
//     says: mapped.go
//   - which instances are in a hexagonal tile: hexagon.go, slope.go, hexagonrows.go; all instances
//     of random stencils are tried in schedule/command/hexagonoracle_test.go, random programs run
//     in cmd/fuzz/stencils.go
//   - phases: phase.go; statements of a phase that are printed as one: unite.go, twins.go
//   - which program a command is of: rewrite.go
//   - why so: docs/decisions/0036-tiles-are-dimensions.md, 0037-two-stages.md,
//     0040-ranges-apart.md, 0004-languages-of-recipes.md, 0039-time-for-code.md
package schedule
