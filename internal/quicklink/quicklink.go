// Package quicklink is for tests and the fuzzer, which build many programs: linking them is half of
// the work.
package quicklink

import (
	"os/exec"
	"sync"
)

// Options are those of gcc for a linker that takes half the time of the usual one; none where it is
// missing. It looks into libraries of megabytes of which it needs pages: mapping all of them takes a
// sixth of its time.
var Options = sync.OnceValue(func() []string {
	if _, err := exec.LookPath("ld.gold"); err != nil {
		return nil
	}
	return []string{"-fuse-ld=gold", "-Wl,--no-map-whole-files"}
})
