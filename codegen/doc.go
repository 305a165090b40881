// Package codegen turns a schedule into source code: C with OpenMP, to stand
// in the user's file in place of the region.
//
// The loops come from isl's generator of abstract syntax trees. Passes make a
// program of package loopir of them, in which the schedule's marks say who runs
// which loop, and the files print*.go write that as C. Nothing is decided here:
// whatever makes code fast is in the schedule tree and its options.
//
// # Where to find what
//
//   - the passes in their order: passes.go
//   - isl's tree as a tree of loops: tree.go; what other marks say: node.go, marks.go
//   - full tiles: passtiles.go (their code), tile.go (when a tile is full), tilebranch.go
//     (conditions), tilerest.go (loops that are empty there, or triangular)
//   - threads that run loops together: passteam.go, survey.go (which loops these are); that start
//     at a size: threads.go; that share two loops together: collapse.go
//   - a relay: relay.go (who has which share), printrelay.go (the loop), ahead.go (what is asked
//     for)
//   - copies and layouts: passcopies.go, copied.go; of which elements: touched.go; loops over
//     elements: elementloops.go; their memory: allocation.go; all of an array's side by side:
//     blocklayout.go
//   - packed operands and register blocks: passblocks.go, pack.go, packwhole.go (as long as the
//     parameters say); the copies: copy.go, copyloop.go, copybounds.go; that these read only what
//     may be read: packcheck.go; partial blocks: partial.go
//   - register blocks: blockloops.go (which loops are the block's), registers.go (full blocks,
//     streams), blockwriter.go, blockregisters.go (unrolled code, what is in registers), keep.go,
//     facts.go (what stays in registers), streambounds.go (in which iterations of a stream blocks
//     are full), ragged.go (rows with iterations of their own), addend.go (sums in any order),
//     ahead.go (prefetches), transpose.go (rows in lanes); full stretches of statements that share
//     a band: schedule/apart.go; which statements vectors can be written for: scop/assignment.go
//   - memory of buffers and expanded arrays, on large pages: allocate.go; of contracted arrays:
//     contract.go, their subscripts: local.go
//   - what is known where code is: inside.go; two loops over neighbouring elements in one: flat.go
//   - other code at the rims of loops, where subscripts are clamped or wrap around: interior.go;
//     which subscripts are affine for most instances: scop/straight.go
//   - vectors of our own: stream.go (non-temporal stores), overlap.go (rows of stencils)
//   - what threads and the compiler are told of loops: marks.go, ivdep.go, strided.go, serial.go,
//     printloop.go; loops that are there twice: passversions.go; who says so: transform/hints.go,
//     schedule/command/dynamic.go, collapse.go, ivdep.go
//   - sums: reduction.go, passreductions.go (copies), atomics.go; what is updated in order:
//     updates.go
//   - C: print.go, printloop.go (threads and lanes), printregion.go (what is around, memory),
//     printmemory.go, printvector.go, printrelay.go, printmacros.go, statement.go
//   - what the code lacks of its schedule: marks.go and where each mark is written; told when all
//     passes are done, for each loop that the recipe says something of: account.go,
//     scop/mark/declined.go, and in the words of the mark's command (Without): report/declined.go
//   - sizes next to the largest number, for which the region runs as it is written: largest.go
//   - rows and floors in subscripts: rows.go, floors.go
//   - why so: docs/decisions/README.md, "Code" and "Models: register blocks"; full tiles:
//     0038-full-tiles.md; memory: 0072-large-pages.md
package codegen
