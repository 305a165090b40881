package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

const (
	// mostBytes is how much of a command's output is kept; one that writes more is stopped.
	mostBytes = 1 << 20
	// grace is the time that an interrupted command has to end by itself.
	grace = 10 * time.Second
	// drain is the time in which the last output arrives after the command's end. It passes only
	// if another process still has the terminal.
	drain = time.Second
)

// output is what a command wrote, and when, counted from its start.
type output struct {
	at   time.Duration
	text []byte
}

// recorded is a command's run.
type recorded struct {
	outputs []output
	took    time.Duration
	status  int
	// stopped says why the command was stopped from here; it is empty if it ended by itself.
	stopped string
}

// record runs the command on a pseudo terminal. An error says that it was not started.
func record(ctx context.Context, o options) (recorded, error) {
	control, terminal, err := openTerminal(o.columns, o.rows)
	if err != nil {
		return recorded{}, fmt.Errorf("there is no pseudo terminal: %w", err)
	}
	defer control.Close()
	defer terminal.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ctx, cancel := context.WithTimeoutCause(ctx, o.limit, fmt.Errorf("it took %v", o.limit))
	defer cancel()

	c := exec.CommandContext(ctx, o.command[0], o.command[1:]...)
	c.Env = append(c.Environ(), "TERM=xterm-256color")
	c.Stdout, c.Stderr = terminal, terminal
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGINT) }
	c.WaitDelay = grace
	start := time.Now()
	if err := c.Start(); err != nil {
		return recorded{}, err
	}
	terminal.Close()
	w := watcher{start: start, done: make(chan struct{})}
	go w.watch(control, func() { stop(fmt.Errorf("it wrote more than %d bytes", mostBytes)) })
	err = c.Wait()
	took := time.Since(start)
	select {
	case <-w.done:
	case <-time.After(drain):
	}
	shown := recorded{outputs: w.shown(), took: took, status: exitStatus(c.ProcessState)}
	if ctx.Err() != nil && err != nil {
		shown.stopped = context.Cause(ctx).Error()
	}
	return shown, nil
}

// exitStatus is a process's status as shells give it.
func exitStatus(state *os.ProcessState) int {
	if status, is := state.Sys().(syscall.WaitStatus); is && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}

// watcher collects what appears on a terminal.
type watcher struct {
	start   time.Time
	done    chan struct{}
	mutex   sync.Mutex
	outputs []output
}

// watch reads until nobody has the terminal any more, and calls tooMuch once if there is too much.
func (w *watcher) watch(control *os.File, tooMuch func()) {
	defer close(w.done)
	buffer := make([]byte, 1<<14)
	left := mostBytes
	for {
		n, err := control.Read(buffer)
		if keep := min(n, left); keep > 0 {
			w.mutex.Lock()
			w.outputs = append(w.outputs, output{time.Since(w.start), append([]byte(nil), buffer[:keep]...)})
			w.mutex.Unlock()
			left -= keep
			if keep < n {
				tooMuch()
			}
		}
		if err != nil {
			return
		}
	}
}

// shown is what has appeared so far.
func (w *watcher) shown() []output {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return append([]output(nil), w.outputs...)
}

// openTerminal opens a pseudo terminal of that size: the end that controls it, and the end for
// programs.
func openTerminal(columns, rows int) (control, terminal *os.File, err error) {
	control, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	var locked, number int32
	size := struct{ rows, columns, width, height uint16 }{rows: uint16(rows), columns: uint16(columns)}
	err = errors.Join(
		ask(control, syscall.TIOCSPTLCK, unsafe.Pointer(&locked)),
		ask(control, syscall.TIOCGPTN, unsafe.Pointer(&number)),
		ask(control, syscall.TIOCSWINSZ, unsafe.Pointer(&size)))
	if err == nil {
		terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		control.Close()
		return nil, nil, err
	}
	return control, terminal, nil
}

// ask makes a request to the driver of a terminal.
func ask(f *os.File, request uintptr, argument unsafe.Pointer) error {
	connection, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var number syscall.Errno
	if err := connection.Control(func(descriptor uintptr) {
		_, _, number = syscall.Syscall(syscall.SYS_IOCTL, descriptor, request, uintptr(argument))
	}); err != nil {
		return err
	}
	if number != 0 {
		return number
	}
	return nil
}
