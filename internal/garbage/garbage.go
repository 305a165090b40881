// Package garbage says how much garbage programs that transform may leave lying about.
package garbage

import (
	"os"
	"runtime/debug"
)

// percent is how much garbage there may be for what is in use. A
// transformation has some megabytes in use, since isl's objects are not Go's, and
// with Go's usual 100 collecting takes a fifth of its time, with 400 up to a twelfth. It takes 10 MB.
const percent = 800

// most is how many bytes Go's memory may take with that before it is collected more often.
const most = 2 << 30

// Allow sets the collector's percentage and limit, unless the user does by GOGC and GOMEMLIMIT.
func Allow() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(most)
	}
}
