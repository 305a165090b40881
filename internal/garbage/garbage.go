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

// Allow sets the collector's percentage, unless the user does by GOGC.
func Allow() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
