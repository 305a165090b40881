// Package remedy says what keeps the loops of a variant in order, and finds what would free them:
// each change is tried with the models, or with the compiler.
//
// # Where to find what
//
//   - what is tried: hints.go, hinttrials.go; what the compiler is asked: compilerhints.go,
//     runner/vectorized.go; behind a session: session/tunehints.go; the parameters of a program:
//     runner/programvalues.go
//   - which dependences keep a loop in order, and what would free it: transform/obstacle.go,
//     freedom.go; in words: report/obstacle.go, hint.go
package remedy
