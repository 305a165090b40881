package runner

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"strings"
	"time"
)

// BusyProcesses is the kind of the warning of other processes that compute.
const BusyProcesses = "processes"

// busyShare is the share of a processor above which other processes disturb.
const busyShare = 0.25

// busyProcesses warns of the processes of this system, other than this one, that
// together use more than a quarter of a processor while wait takes its time.
func busyProcesses(root fs.FS, wait func() time.Duration) *Warning {
	before := processorTimes(root)
	interval := wait().Seconds()
	if interval <= 0 {
		return nil
	}
	total, greatest, busiest := 0.0, 0.0, 0
	count := 0
	for pid, after := range processorTimes(root) {
		earlier, known := before[pid]
		used := (after - earlier).Seconds() / interval
		if !known || pid == os.Getpid() || used <= 0 {
			continue
		}
		total += used
		count++
		if used > greatest || used == greatest && pid < busiest {
			greatest, busiest = used, pid
		}
	}
	if total <= busyShare {
		return nil
	}
	who := processName(root, busiest)
	message := fmt.Sprintf("%s uses %.0f%% of a processor", who, 100*greatest)
	if count > 1 {
		message = fmt.Sprintf("%d other processes use %.0f%% of a processor, most of it %s", count, 100*total, who)
	}
	return &Warning{BusyProcesses, message, "top   (see who it is; wait, or ask for an exclusive node: salloc --exclusive; tune again times a result anew)"}
}

// processorTimes are the user and system times of all processes that can be
// seen: the 14th and 15th number of /proc/PID/stat (proc(5)), whose second
// field is a name in parentheses that may have blanks.
func processorTimes(root fs.FS) map[int]time.Duration {
	const userTime = 14 - 3
	times := map[int]time.Duration{}
	files, err := fs.Glob(root, "proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	for _, file := range files {
		pid, err := strconv.Atoi(strings.Split(file, "/")[1])
		text := readText(root, file)
		fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		if err != nil || len(fields) < userTime+2 {
			continue
		}
		user, err1 := strconv.ParseInt(fields[userTime], 10, 64)
		system, err2 := strconv.ParseInt(fields[userTime+1], 10, 64)
		if err1 == nil && err2 == nil {
			times[pid] = time.Duration(user+system) * clockTick
		}
	}
	return times
}

// processName is "stress (process 812 of user ann)".
func processName(root fs.FS, pid int) string {
	folder := "proc/" + strconv.Itoa(pid)
	owner := ""
	for line := range strings.Lines(readText(root, folder+"/status")) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Uid:" {
			owner = " of user " + userName(fields[1])
		}
	}
	return fmt.Sprintf("%s (process %d%s)", readText(root, folder+"/comm"), pid, owner)
}

// userName is the name of a user, or the number where it has none.
func userName(id string) string {
	if known, err := user.LookupId(id); err == nil {
		return known.Username
	}
	return id
}
