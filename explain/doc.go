// Package explain says what a variant does, why, what keeps it from more, and how fast it can be.
package explain
