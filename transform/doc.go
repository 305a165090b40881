// Package transform holds the models that choose scheduling commands: given
// a fusion partition, it finds for each class the tiling hyperplanes of the
// Pluto algorithm, and decides on tiling, parallel loops, and the vector loop
// as section V of the SC'10 paper does. The result is a recipe.
//
// # Where to find what
//
//   - strategies in their order: strategies.go; the protocol, the driver: strategy.go; what bands
//     can be: bandstrategies.go; which benchmarks take them: served.go; printed:
//     report/strategies.go, explain_text.go
//   - who asks for hyperplanes: nest.go (bands), distribute.go (splitting), join.go (which parts
//     share a parallel loop); structures that somebody names: structure.go
//   - what max, smart, random:N mean: partition.go; the program as it is written: original.go
//   - tiles, parallel loops, vector loops: decide.go, parallelloop.go, sizes.go, vector.go,
//     apartloop.go, still.go, transposed.go; wavefronts: waves.go; tiles that start together:
//     diamond.go
//   - when a class keeps the loops of the source, and when classes of smart are parted: ways.go;
//     when a whole region does: doubt.go (the estimate), plain.go (these loops with threads and
//     vectors), codegen/overhead.go (what the code computes beside statements)
//   - statements that share an outermost loop because they pass on rows: webloop.go, webtile.go;
//     because each iteration has its part of the data: batch.go; that keep together so that lines
//     of recurrences run beside each other: lines.go; that are apart: apart.go
//   - iterations that run beside each other where loops carry dependences: interleave.go,
//     schedule/command/skew.go; conditions with quotients: codegen/floors.go
//   - a statement that runs an iteration later: delay.go, panelpair.go; the loop without
//     conditions: schedule/option.go
//   - nests so small that the compiler unrolls them: tiny.go; windows and other last loops: tail.go
//   - how many rows the first cache has lines for: sets.go; tiles of few sweeps or columns:
//     sizes.go, of walks through a matrix: walks.go
//   - register blocks: registers.go; of sums over several loops: sums.go; of products of matrices
//     and vectors: sweeps.go, sweepkind.go, rowlanes.go; which of these share strips: strips.go, of
//     how many rows: stripsizes.go, schedule/command/blocks.go; the tiles around them:
//     transform/cacheblocks.go; packed operands: pack.go; first values: starts.go
//   - phases of factorizations: phases.go, twins.go; panels of columns: panels.go; their copies:
//     panelcopy.go
//   - threads: work.go, grain.go, uneven.go; that share columns: columns.go; what they and the
//     compiler are told: hints.go; relays: relay.go
//   - expanded arrays: sharing.go (who shares their loops), contract.go (which have elements for
//     one iteration alone, of what size), beside.go
//   - non-temporal stores: stores.go; rows of stencils in vectors that overlap: overlap.go
//   - which classes are stencils: stencil.go (canonical form, slopes), reflect.go (rings),
//     meeting.go (statements at one place); shapes of tiles: shape.go, shapeaxes.go; hexagons:
//     hexagon.go, lineshift.go (moved to whole lines), hexagoncpu.go (on threads); what a tile
//     computes, loads and has in shared memory: tiledata.go; the picture: explain/tiles.go,
//     report/figure/tiles.go
//   - devices: device.go; which loops are free: devicefree.go; what is inside of one another:
//     deviceplan.go; blocks and threads: devicekernel.go; sums: devicesums.go; which statements
//     share a kernel: devicefusion.go; memory: devicememory.go, memorytrials.go (which copies are
//     legal and fit), deviceconstants.go, devicegroups.go (references together), deviceparts.go
//     (parts with loops of their own); overlapped tiles: overlapped.go, streamed.go; blocks that
//     stay: resident.go
//   - ranks: ranks.go, rankaxes.go, ghosts.go
//   - what keeps a loop in order, and what would free it: obstacle.go, freedom.go
//   - axes: axes.go, deviceaxes.go, memoryaxes.go, shapeaxes.go, waveaxes.go; which matter for a
//     program: offered.go
//   - why so: docs/decisions/README.md, "Models" and "Threads"; strategies: 0001-strategies.md
package transform
