package runner

import (
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of processor times in /proc (USER_HZ), which is the
// same on all of Linux's architectures that polytune knows.
const clockTick = time.Second / 100

// stolenTime is the time that the host of a virtual machine has taken from the
// given processors since their start, their sum, in steps of 10 ms; 0 where the
// system does not say. It is the eighth number of a processor's line in
// /proc/stat (proc(5)).
func stolenTime(root fs.FS, cpus []int) time.Duration {
	const steal = 8
	wanted := map[string]bool{}
	for _, cpu := range cpus {
		wanted["cpu"+strconv.Itoa(cpu)] = true
	}
	var sum time.Duration
	for line := range strings.Lines(readText(root, "proc/stat")) {
		fields := strings.Fields(line)
		if len(fields) > steal && wanted[fields[0]] {
			ticks, _ := strconv.ParseInt(fields[steal], 10, 64)
			sum += time.Duration(ticks) * clockTick
		}
	}
	return sum
}
