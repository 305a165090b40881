package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"polytune/internal/randomprogram"
)

// maxMemory bounds the memory of a worker and of the processes it starts.
const maxMemory = 6 << 30

// work checks the program that it reads and writes the report.
func work(in io.Reader, out io.Writer, variants int) error {
	limit := syscall.Rlimit{Cur: maxMemory, Max: maxMemory}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return err
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	p, err := randomprogram.Decode(text)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(check(p, "", variants))
}

// checkApart checks the program in a process of its own, so that neither a
// crash nor an endless computation in isl ends the campaign.
func (c *campaign) checkApart(ctx context.Context, p *randomprogram.Program) report {
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return report{Stage: stageCrash, Message: err.Error()}
	}
	worker := exec.CommandContext(ctx, self, "-worker", "-variants", fmt.Sprint(c.variants))
	worker.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	worker.Cancel = func() error { return syscall.Kill(-worker.Process.Pid, syscall.SIGKILL) }
	worker.WaitDelay = time.Second
	var out, problems bytes.Buffer
	worker.Stdin, worker.Stdout, worker.Stderr = bytes.NewReader(p.Encode()), &out, &problems
	err = worker.Run()
	var r report
	switch {
	case ctx.Err() != nil:
		return report{TooSlow: true}
	case err != nil:
		return report{Stage: stageCrash, Message: fmt.Sprintf("%v\n%s", err, firstLines(problems.String(), 30))}
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return report{Stage: stageCrash, Message: err.Error()}
	}
	return r
}

func firstLines(text string, count int) string {
	lines := strings.SplitAfterN(text, "\n", count+1)
	return strings.Join(lines[:min(count, len(lines))], "")
}
