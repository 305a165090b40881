// Package depend computes the dependences of a program and decides whether a
// schedule respects them.
//
// Dependences are memory-based and exact: pairs of instances that touch the
// same element in the original order, at least one of them writing, with no
// elimination of transitively covered or overwritten pairs. There is one
// relation per pair of references, kind, and depth, after Candl's rule, which
// is how the SC'10 paper counts them (Figure 6, column #deps).
//
// # Where to find what
//
//   - which dependences there are: depend.go; their cones: cone.go, generators.go, polyhedron.go;
//     numbers that count as parameters: symbols.go; those that a loop of the source carries:
//     carried.go
//   - whether a schedule is legal: check.go, marks.go
//   - reductions, and what another order frees: reduction.go, scop/reduction.go,
//     frontend/reduction.go; which loops carry them: transform/reduction.go; by which operations
//     threads add up: adding.go, schedule/command/atomics.go; their code: codegen/reduction.go
//   - which variables each iteration may have for itself: privatize.go, scop/privatize.go,
//     scop/flow/; what is a temporary: frontend/temporary.go
//   - which are in the array elements that they are assigned to in the end: place.go,
//     scop/place.go; when: pipeline/variant/memory.go, pipeline/inplace.go
//   - which become arrays with elements for all iterations: expand.go, scop/expand.go; their last
//     values: scop/depend/lastvalues.go; their memory: codegen/allocate.go; which of these have
//     elements for one iteration alone: scop/depend/local.go, transform/contract.go
//   - loops over tiles of the source that are left out: untile.go
//   - tests of proofs by recipes: scop/depend/prooftest/, as all packages up to recipes would be
//     compiled twice for those in the package itself
//   - why so: docs/decisions/README.md, "Dependences, memory, proofs"; parameters:
//     0033-large-numbers.md
package depend
