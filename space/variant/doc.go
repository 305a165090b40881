// Package variant holds the space in which the tuner searches: each point, a
// variant, is a fusion partition and a value for every axis of the models that
// finish the partition, such as how loops are tiled or which are vectorised.
//
// An Axis has a name, a type (words, a ladder of integers, on and off), a
// default, and may exist only under a condition on earlier axes. A Constraint
// ties axes together: "ri*rj + ri + rj <= 32". A Model is a fixed set of axes
// and constraints; it counts, lists and draws its settings, walks from one to
// its neighbours, and reads and writes their text. Models adds axes that
// depend on the partition, in a Family, made only when they are needed. A
// Space is the product of partitions and models.
//
// Packages to the right offer their axes as plain values; nothing here knows
// their names, so that a new axis needs no change in this package.
//
// # Text
//
// The text of a point is one line without a character that a shell inside
// quotation marks, SQL or a file name would mind:
//
//	0-1-1-2 tile=wide unroll=4
//
// Axes stand in alphabetical order, those that have their default are left
// out. So a text that was written before an axis existed still names the same
// variant, as long as two rules are kept: the default of a new axis is what
// was done before there was the axis, and defaults never change.
//
// # Where to find what
//
//   - what an axis is: axis.go, condition.go; its text: text.go; settings counted: count.go;
//     walked: moves.go
//   - the axes: transform/axes.go, deviceaxes.go, memoryaxes.go, shapeaxes.go (of stencils),
//     rankaxes.go; which of them matter for a program: transform/offered.go,
//     pipeline/choices/probe.go; points read: pipeline/variant/point.go
//   - why so: docs/decisions/0029-choices-are-data.md
package variant
