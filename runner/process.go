package runner

import (
	"fmt"
	"os"
	"strings"
)

// Process identifies a process to others, also after its end and when its
// number belongs to another one.
type Process struct {
	// Host is the name of its machine, for people.
	Host string
	// Space says where PID means something: the start of the machine and the
	// PID namespace. It is "" where that cannot be found out.
	Space string
	PID   int
	// Born is when the process began, as the kernel counts.
	Born string
}

// Self is this process.
func Self() Process {
	host, _ := os.Hostname()
	pid := os.Getpid()
	born, _ := birth(pid)
	return Process{Host: host, Space: processSpace(), PID: pid, Born: born}
}

// Gone reports whether the process is known to have ended. Of one on another
// machine, or in another container, nothing is known.
func (p Process) Gone() bool {
	if p.Space == "" || p.Born == "" || p.Space != processSpace() {
		return false
	}
	born, alive := birth(p.PID)
	return !alive || born != p.Born
}

// processSpace joins the kernel's random number of this boot with the PID
// namespace of this process.
func processSpace() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + " " + namespace
}

// birth is when a process began, in clock ticks since the boot: field 22 of
// /proc/PID/stat, described in proc_pid_stat(5). A process that has ended and
// waits for its parent is not alive.
func birth(pid int) (ticks string, alive bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", false
	}
	return parseBirth(string(text))
}

// parseBirth reads the fields behind the name, which may hold anything.
func parseBirth(stat string) (ticks string, alive bool) {
	// proc_pid_stat(5) counts from 1, and these fields begin with the third.
	const state, startTime = 0, 22 - 3
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) <= startTime {
		return "", false
	}
	return fields[startTime], fields[state] != "Z" && fields[state] != "X"
}
