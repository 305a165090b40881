// Package check builds variants and compares what they compute with the original.
//
// # Where to find what
//
//   - sizes and data that loops do not like: badinput_test.go; arrays off cache lines:
//     runner/drivercore.c.tmpl
//   - why so: docs/decisions/0008-bad-input.md
package check
