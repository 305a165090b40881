// Package facts answers questions about programs, dependences and loops that strategies ask: how
// accesses move along loops, what they use again, which rows follow iterators, what dependences
// allow. An answer depends on its arguments alone. The package knows no recipes and no options, and
// decides nothing.
package facts
