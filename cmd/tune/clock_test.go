package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/internal/quicklink"
)

// processorClock takes the place of the clock that measured programs read: of a program that is
// linked with it, processor time is measured, which other work on the machine hardly disturbs. What
// is shared with libraries is not, nor what reads another clock.
const processorClock = `#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>

__attribute__((visibility("hidden"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
  return (int) syscall(SYS_clock_gettime, clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock, time);
}
`

// clockObject is the file of processorClock, compiled.
func clockObject() string { return filepath.Join(cacheFolder, "clock.o") }

// buildClock compiles processorClock, once for all tests.
func buildClock() error {
	c := exec.Command("gcc", "-O1", "-c", "-x", "c", "-", "-o", clockObject())
	c.Stdin = strings.NewReader(processorClock)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("the clock of the tests: %w\n%s", err, out)
	}
	return nil
}

// measuredLibraries are the libraries, and options for the linker, of measured programs.
func measuredLibraries() string {
	return strings.Join(slices.Concat(quicklink.Options(), []string{clockObject(), "-lm"}), " ")
}

// TestClock checks that programs which are linked as measured ones are do not count what they wait.
func TestClock(t *testing.T) {
	t.Parallel()
	const program = `#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
  struct timespec begin, end;
  volatile double sum = 0;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  usleep(100000);
  for (int i = 0; i < 1000; i++)
    sum += i;
  clock_gettime(CLOCK_MONOTONIC, &end);
  long long spent = (end.tv_sec - begin.tv_sec) * 1000000000LL + (end.tv_nsec - begin.tv_nsec);
  printf("%lld\n", spent);
  return spent <= 0 || spent > 50000000;
}
`
	path := filepath.Join(t.TempDir(), "program")
	options := append([]string{"-x", "c", "-", "-x", "none", "-o", path}, strings.Fields(measuredLibraries())...)
	c := exec.Command("gcc", options...)
	c.Stdin = strings.NewReader(program)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(path).CombinedOutput(); err != nil {
		t.Errorf("100 ms of waiting are measured as %s ns", strings.TrimSpace(string(out)))
	}
}
