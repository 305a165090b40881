package report

import (
	"fmt"
	"strings"

	"polytune/runner"
)

// Rate writes what so many threads can do at most, in one line.
func Rate(r runner.Rate) string {
	parts := []string{fmt.Sprintf("%s of doubles, %s of floats", Operations(r.Double), Operations(r.Single))}
	for _, b := range r.Bandwidths {
		parts = append(parts, Level(b.Level)+" "+Bandwidth(b.Rate))
	}
	return threadsText(r.Threads) + ": " + strings.Join(parts, ", ")
}

// Operations writes floating-point operations a second, as in "121 GFLOP/s".
func Operations(rate float64) string { return threeDigits(rate/1e9) + " GFLOP/s" }

// Bandwidth writes bytes a second, as in "37.1 GB/s"; a GB is 1e9 bytes.
func Bandwidth(rate float64) string { return threeDigits(rate/1e9) + " GB/s" }

// Level names a level of the memory hierarchy: that of a cache, or 0 for the
// memory.
func Level(level int) string {
	if level == 0 {
		return "memory"
	}
	return fmt.Sprintf("L%d", level)
}
