// Package remedy says what keeps the loops of a variant in order, and finds what would free them:
// each change is tried with the models, or with the compiler.
package remedy
