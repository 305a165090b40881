package watch

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// What stays within its limits goes on; what does not ends the process, with
// the reason.
func TestLimits(t *testing.T) {
	Limits{Time: time.Minute, MemoryBytes: 1 << 40}.Start()()
	for limits, want := range map[Limits]string{
		{Time: time.Millisecond, MemoryBytes: 1 << 40}: "takes longer than 1ms",
		{Time: time.Minute, MemoryBytes: 1000}:         "bytes of memory, more than 1000",
	} {
		if os.Getenv("WATCH_TEST") == want {
			limits.Start()
			time.Sleep(time.Minute)
		}
		test := exec.Command(os.Args[0], "-test.run", "TestLimits")
		test.Env = append(os.Environ(), "WATCH_TEST="+want)
		if os.Getenv("WATCH_TEST") != "" {
			continue
		}
		output, err := test.CombinedOutput()
		if err == nil || !strings.Contains(string(output), want) {
			t.Errorf("got %v, want %q in\n%s", err, want, output)
		}
	}
}
