// Package handout hands out what sessions have found: the best known variants of a program, where
// these results come from, and the program with them in place.
//
// # Where to find what
//
//   - how a program chooses among the variants of several machines: dispatch.go,
//     codegen/machines.go, machines.c.tmpl
//   - what is handed out, and how many rounds would tell: handed.go; who is known to be faster:
//     tuner/verdict.go (faster); which trial counts: store/migrations/0010_certainty.sql
//   - recipe, C and machine code beside each other: handout/listing/listing.go
//   - what tune emit --driver writes: driverfolder.go, runner/byhand.go
//   - why so: docs/decisions/0107-dispatch.md
package handout
