package runner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"polytune/internal/journal"
)

// DefaultOutputLimit is how many bytes of each output stream Execute keeps.
const DefaultOutputLimit = 1 << 20

// DefaultGrace is the time between SIGTERM and SIGKILL.
const DefaultGrace = 200 * time.Millisecond

// Command is one process to run. It never passes through a shell.
type Command struct {
	// Argv is the program, on PATH or a path, and its arguments.
	Argv []string
	// Dir is the working directory; "" for the tuner's own.
	Dir string
	// Env is the whole environment as NAME=VALUE; nil for the tuner's own.
	Env []string
	// Limit is the wall-clock limit; 0 for none.
	Limit time.Duration
	// Grace is the time between SIGTERM and SIGKILL; 0 for DefaultGrace.
	Grace time.Duration
	// Memory is the limit of the address space in bytes; 0 for none.
	Memory uint64
	// CPUs are the only processors the process may use; empty for all.
	CPUs []int
	// OutputLimit is how many bytes of stdout and of stderr are kept; 0 for
	// DefaultOutputLimit. What exceeds it is read and discarded.
	OutputLimit int
}

// Outcome is how a process ended. At most one of Signal, TimedOut and
// Interrupted explains an end that was not the program's own.
type Outcome struct {
	// ExitCode is the exit status, or -1 when a signal ended the process.
	ExitCode int
	// Signal is the signal that ended it, 0 if none did.
	Signal syscall.Signal
	// TimedOut says that it was killed at its wall-clock limit.
	TimedOut bool
	// Interrupted says that it was killed because the context ended.
	Interrupted bool
	// Stdout and Stderr are the beginnings of the two streams.
	Stdout, Stderr []byte
	// Discarded is the number of bytes that did not fit into them.
	Discarded int64
	Usage     Usage
	// Wall is the time from the start to the end of the process.
	Wall time.Duration
}

// OK says whether the program ended by itself with status 0.
func (o Outcome) OK() bool {
	return o.ExitCode == 0 && o.Signal == 0 && !o.TimedOut && !o.Interrupted
}

// Usage is what a process used, from getrusage(2).
type Usage struct {
	// MaxResident is the largest resident set in bytes. Linux counts the
	// tuner's own pages at the moment of the start as well, so it is an
	// upper bound; Timing.PeakMemory is exact.
	MaxResident uint64 `json:"max_resident"`
	// User and System are processor times.
	User   time.Duration `json:"user"`
	System time.Duration `json:"system"`
	// MinorFaults and MajorFaults are page faults without and with input.
	MinorFaults int64 `json:"minor_faults"`
	MajorFaults int64 `json:"major_faults"`
	// VoluntarySwitches and InvoluntarySwitches are context switches; many
	// involuntary ones say that others use the processors.
	VoluntarySwitches   int64 `json:"voluntary_switches"`
	InvoluntarySwitches int64 `json:"involuntary_switches"`
}

// add makes u what several processes used, one after the other.
func (u *Usage) add(v Usage) {
	u.MaxResident = max(u.MaxResident, v.MaxResident)
	u.User += v.User
	u.System += v.System
	u.MinorFaults += v.MinorFaults
	u.MajorFaults += v.MajorFaults
	u.VoluntarySwitches += v.VoluntarySwitches
	u.InvoluntarySwitches += v.InvoluntarySwitches
}

// Execute runs a command in a process group of its own and waits for its end.
// At the limit, or when ctx ends, the whole group gets SIGTERM and after the
// grace SIGKILL; whatever is left of the group when the program ends is
// killed, too. The error says why the program could not be started; how it
// ended is in the Outcome.
func Execute(ctx context.Context, c Command) (Outcome, error) {
	if len(c.Argv) == 0 {
		return Outcome{}, errors.New("no command to execute")
	}
	if ctx.Err() != nil {
		return Outcome{ExitCode: -1, Interrupted: true}, nil
	}
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	stdout, stderr := newBoundedBuffer(c.OutputLimit), newBoundedBuffer(c.OutputLimit)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = time.Second

	// Pdeathsig follows the thread that started the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := time.Now()
	if err := startPinned(cmd, c.CPUs); err != nil {
		return Outcome{}, fmt.Errorf("cannot start %s: %w", c.Argv[0], err)
	}
	if err := limitMemory(cmd.Process.Pid, c.Memory); err != nil {
		killGroup(cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
		return Outcome{}, fmt.Errorf("cannot limit the memory of %s: %w", c.Argv[0], err)
	}
	volunteer(cmd.Process.Pid)
	timedOut, interrupted := supervise(ctx, cmd.Process.Pid, c.Limit, c.Grace)
	wall := time.Since(begin)
	waitError := cmd.Wait()
	if cmd.ProcessState == nil {
		return Outcome{}, fmt.Errorf("lost %s: %w", c.Argv[0], waitError)
	}
	outcome := Outcome{
		ExitCode: cmd.ProcessState.ExitCode(), TimedOut: timedOut, Interrupted: interrupted,
		Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Discarded: stdout.Discarded() + stderr.Discarded(),
		Usage: usageOf(cmd.ProcessState.SysUsage()), Wall: wall,
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() && !timedOut && !interrupted {
		outcome.Signal = status.Signal()
	}
	outcome.log(ctx, c)
	return outcome, nil
}

// log notes how a command ended, and what it said where it failed.
func (o Outcome) log(ctx context.Context, c Command) {
	if !slog.Default().Enabled(ctx, slog.LevelInfo) {
		return
	}
	attributes := []any{"argv", c.Argv, "seconds", o.Wall.Seconds(), "exit", o.ExitCode}
	if len(c.CPUs) > 0 {
		attributes = append(attributes, "cpus", c.CPUs)
	}
	if !o.OK() {
		attributes = append(attributes, "signal", int(o.Signal), "timed_out", o.TimedOut, "interrupted", o.Interrupted, "stderr", journal.Quote(o.Stderr))
	}
	slog.InfoContext(ctx, "run", attributes...)
}

// startPinned starts cmd on the given processors: a child inherits the mask
// of the thread that forks it. The caller has locked the thread; it stays
// locked, to end with its goroutine, when its own mask cannot be restored.
func startPinned(cmd *exec.Cmd, cpus []int) error {
	if len(cpus) == 0 {
		return cmd.Start()
	}
	var before, wanted unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("reading the processor affinity: %w", err)
	}
	for _, cpu := range cpus {
		wanted.Set(cpu)
	}
	if err := unix.SchedSetaffinity(0, &wanted); err != nil {
		return fmt.Errorf("pinning to processors %v: %w", cpus, err)
	}
	startError := cmd.Start()
	if err := unix.SchedSetaffinity(0, &before); err != nil {
		runtime.LockOSThread()
	}
	return startError
}

func limitMemory(pid int, bytes uint64) error {
	if bytes == 0 {
		return nil
	}
	limit := unix.Rlimit{Cur: bytes, Max: bytes}
	err := unix.Prlimit(pid, unix.RLIMIT_AS, &limit, nil)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}

// volunteer has the system, when its memory is used up, kill the program before
// the tuner. Where that cannot be set the system decides.
func volunteer(pid int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
}

// supervise returns when the process has ended and its group is dead. The
// process is left unreaped, so that its number cannot be given to another.
func supervise(ctx context.Context, pid int, limit, grace time.Duration) (timedOut, interrupted bool) {
	ended := make(chan struct{})
	go func() {
		awaitEnd(pid)
		close(ended)
	}()
	defer killGroup(pid, syscall.SIGKILL)
	var deadline <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		deadline = timer.C
	}
	select {
	case <-ended:
		return false, false
	case <-deadline:
		timedOut = true
	case <-ctx.Done():
		interrupted = true
	}
	if grace <= 0 {
		grace = DefaultGrace
	}
	killGroup(pid, syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(grace):
		killGroup(pid, syscall.SIGKILL)
		<-ended
	}
	return timedOut, interrupted
}

func awaitEnd(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

func killGroup(pid int, signal syscall.Signal) { _ = syscall.Kill(-pid, signal) }

func usageOf(sys any) Usage {
	r, ok := sys.(*syscall.Rusage)
	if !ok {
		return Usage{}
	}
	return Usage{
		MaxResident: uint64(r.Maxrss) << 10,
		User:        time.Duration(r.Utime.Nano()), System: time.Duration(r.Stime.Nano()),
		MinorFaults: r.Minflt, MajorFaults: r.Majflt,
		VoluntarySwitches: r.Nvcsw, InvoluntarySwitches: r.Nivcsw,
	}
}
