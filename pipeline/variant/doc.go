// Package variant transforms targets: by the models, at a point of the space of their choices, or
// by a recipe, each time proven before its code is printed. Where isl needs too long for what is
// asked, something simpler takes its place.
//
// # Where to find what
//
//   - a variant of each region: variant.go, request.go; the text of a point: point.go
//   - what is made instead where isl needs too long, or a variant fails: attempts.go,
//     lastresort.go; the limits: pipeline/limit/limits.go
//   - when temporaries are expanded, or are in the elements they are assigned to: memory.go,
//     transform/beside.go; room: scop/expand.go; the proof: scop/depend/expand.go
//   - when rows are longer than in the source: pad.go
//   - when a region keeps the loops of the source: plain.go
//   - why so: docs/decisions/0007-simpler-not-dropped.md, 0020-when-expansion-pays.md,
//     0021-outermost-elements.md, 0041-doubt.md
package variant
