// Package ranks finds what processes with memory of their own have to tell each other when they
// share the iterations of loops out: for each place of a schedule and each pair of ranks the elements
// whose values one of them has computed, and the other one reads for the first time there. Values
// that come from before the region are everywhere, and nothing is told twice.
//
// It is exact: the sets are made of the value-based flow (Feautrier, Dataflow analysis of array and
// scalar references, 1991), with the bounds of both ranks' blocks as parameters.
//
// # Where to find what
//
//   - the page for users: docs/ranks.md
//   - who computes values and who reads them: values.go; what is read first: plan.go; the schedule
//     of one rank: graft.go; what ranks compute again: ghost.go; messages by hand: hand.go; where
//     all wait: meet.go; what is sent where the exact elements have too many conditions: wider.go;
//     which rows a rank has of an array: blocks.go; how much is sent: volume.go
//   - the commands: schedule/command/ranks.go, exchange.go, ghost.go, send.go; the mark:
//     scop/mark/ranks.go; the proof: scop/depend/ranks.go
//   - the code: codegen/passranks.go, printranks.go, codegen/mpi/; without a compiler:
//     loopir/onranks.go
//   - the models: transform/ranks.go, rankaxes.go; runs: runner/ranks.go, pipeline/check/ranks.go;
//     sessions: session/toolchains.go
package ranks
