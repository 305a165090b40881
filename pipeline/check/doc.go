// Package check builds variants and compares what they compute with the original.
package check
