package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// tooSlow is that a worker was stopped.
type tooSlow struct{}

func (tooSlow) Error() string { return "too slow" }

// apart is what another process of this program answers, so that neither a
// crash nor an endless computation in isl ends the campaign.
func apart(ctx context.Context, limit time.Duration, input []byte, arguments ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	worker := exec.CommandContext(ctx, self, arguments...)
	worker.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	worker.Cancel = func() error { return syscall.Kill(-worker.Process.Pid, syscall.SIGKILL) }
	worker.WaitDelay = time.Second
	var out, problems bytes.Buffer
	worker.Stdin, worker.Stdout, worker.Stderr = bytes.NewReader(input), &out, &problems
	err = worker.Run()
	switch {
	case ctx.Err() != nil:
		return nil, tooSlow{}
	case err != nil:
		return nil, fmt.Errorf("%v\n%s", err, firstLines(problems.String(), 30))
	}
	return out.Bytes(), nil
}

// limitMemory bounds the memory of a worker and of the processes it starts.
func limitMemory() error {
	return syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: maxMemory, Max: maxMemory})
}
