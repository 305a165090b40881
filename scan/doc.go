// Package scan finds the loop nests of C files that have no pragmas: which can be modelled and why
// others cannot, how much each computes, and which part of a program's time it takes.
package scan
