// Package command has the commands of recipes, each in a file of its name: how it is written, what
// it does to a schedule tree, what chance proposes and what an explanation says of it.
//
// # Where to find what
//
//   - a command: its file, such as tile.go, and docs/scheduling-language.md
//   - what is computed again where it is read, or put in the place of references: compute.go,
//     inline.go; the program that they make and its proof: scop/depend/compute.go, inline.go,
//     rewritten.go, values.go; its texts: scop/inline.go, compute.go; memory: scop/depend/held.go,
//     codegen/held.go
//   - which elements are copied to memory of their own and back: copy.go, layout.go, allocate.go;
//     where it pays: transform/panelcopy.go; the proof: scop/depend/copy.go, layout.go; which texts
//     allow it: scop/named.go; what is written first: scop/flow/inside.go; the code:
//     codegen/copied.go
//   - what iterations ask for before it is read: prefetch.go, codegen/asked.go
//   - which elements are at other places: store.go, rows that are longer: pad.go,
//     pipeline/store.go; the program and its proof: scop/depend/store.go; its texts:
//     scop/storage.go, spliced.go, astexpr.go
//   - a relay, in which threads hand sums on: relay.go; where it pays: transform/relay.go; that
//     what runs at once is independent: scop/depend/relay.go; its code: codegen/relay.go
//   - threads: threads.go, region.go, team.go, dynamic.go, collapse.go; sums of threads: atomics.go
//   - how a recipe begins with the program as it is written, or with a map: original.go,
//     schedule.go
//   - loops over tiles of the source that are left out: untile.go, pipeline/untile.go; the proof:
//     scop/depend/untile.go
//   - ranks: ranks.go, exchange.go, ghost.go, send.go
//   - why so: docs/decisions/0062-relay.md, 0067-copied-blocks.md
package command
