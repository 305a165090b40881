// Package handout hands out what sessions have found: the best known variants of a program, where
// these results come from, and the program with them in place.
package handout
