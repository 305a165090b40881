package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// recording runs the program on a command, and gives its status, its messages, and the picture if
// there is one.
func recording(ctx context.Context, t *testing.T, arguments ...string) (status int, messages string, p *playback) {
	t.Helper()
	needsTerminals(t)
	path := filepath.Join(t.TempDir(), "picture.svg")
	var b bytes.Buffer
	status = run(ctx, append([]string{"-o", path}, arguments...), io.Discard, &b)
	if text, err := os.ReadFile(path); err == nil {
		p = read(t, text)
	}
	return status, b.String(), p
}

// needsTerminals skips a test where the system has no pseudo terminals.
func needsTerminals(t *testing.T) {
	t.Helper()
	file, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals: %v", err)
	}
	file.Close()
}

// TestCommands records commands, good ones and bad ones.
func TestCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script string
		flags        []string
		status       int
		last         []string
	}{
		{"a command", "echo out; echo err >&2", nil, 0, []string{"out", "err"}},
		{"it is a terminal of that size", "stty size <&2; test -t 1", []string{"-columns", "70", "-rows", "7"}, 0, []string{"7 70"}},
		{"it reads nothing", "cat; echo read", nil, 0, []string{"read"}},
		{"one that fails", "echo broken; exit 75", nil, 75, []string{"broken"}},
		{"one that a signal ends", "echo x; kill -9 $$", nil, 137, []string{"x"}},
		{"one that never writes", "sleep 0.1", nil, 0, nil},
		{"no UTF-8", `printf 'a\377\376b'`, nil, 0, []string{"a\ufffd\ufffdb"}},
		{"a very long line", "printf '%0300d' 7", nil, 0, []string{strings.Repeat("0", 100), strings.Repeat("0", 100), strings.Repeat("0", 99) + "7"}},
		{"one that leaves another behind", "trap '' HUP; sleep 20 & echo x", nil, 0, []string{"x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			script := filepath.Join(t.TempDir(), "s")
			if err := os.WriteFile(script, []byte(c.script), 0o600); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			status, messages, p := recording(t.Context(), t, append(c.flags, "--", "sh", script)...)
			if took := time.Since(begin); took > 12*time.Second {
				t.Errorf("it took %v", took)
			}
			if status != c.status || p == nil {
				t.Fatalf("status %d: %s", status, messages)
			}
			got := p.stillScreen(t)
			if !strings.HasPrefix(got[0], "$ sh ") {
				t.Errorf("the first line is %q", got[0])
			}
			// The command itself may take several lines.
			if got = got[max(0, len(got)-len(c.last)):]; !slices.Equal(got, c.last) && len(c.last) > 0 {
				t.Errorf("the last lines are %q", got)
			}
		})
	}
}

// TestStopped records commands that do not end: they are interrupted, and what they have shown is
// drawn.
func TestStopped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script, message string
		flags                 []string
		after                 time.Duration
	}{
		{"too long", "echo begun; sleep 60", "it took 2s", []string{"-limit", "2s"}, time.Hour},
		{"too much", "yes begun", "it wrote more than", nil, time.Hour},
		{"from outside", "echo begun; sleep 60", "canceled", nil, 2 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			time.AfterFunc(c.after, stop)
			begin := time.Now()
			status, messages, p := recording(ctx, t, append(c.flags, "--", "sh", "-c", c.script)...)
			if status != statusFailed || p == nil || !strings.Contains(messages, c.message) {
				t.Fatalf("status %d: %s", status, messages)
			}
			if !slices.Contains(p.stillScreen(t), "begun") {
				t.Errorf("it shows %q", p.stillScreen(t))
			}
			if took := time.Since(begin); took > grace {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestStandardOutput writes the picture there.
func TestStandardOutput(t *testing.T) {
	t.Parallel()
	needsTerminals(t)
	var picture, messages bytes.Buffer
	if status := run(t.Context(), []string{"-o", "-", "--", "echo", "there"}, &picture, &messages); status != 0 {
		t.Errorf("status %d: %s", status, messages.String())
	}
	if got := read(t, picture.Bytes()).stillScreen(t); !slices.Equal(got, []string{"$ echo there", "there"}) {
		t.Errorf("it shows %q: %s", got, messages.String())
	}
}

// TestRefused has what cannot be recorded; nothing is written then.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arguments []string
		status    int
		message   string
	}{
		{[]string{"--", "/nonexistent/program"}, statusNotStarted, "no such file"},
		{[]string{"--", "no-such-program"}, statusNotStarted, "executable file not found"},
		{[]string{"--", os.TempDir()}, statusNotStarted, "permission denied"},
		{nil, statusUsage, "no command"},
		{[]string{"-columns", "3", "--", "true"}, statusUsage, "columns"},
		{[]string{"-rows", "0", "--", "true"}, statusUsage, "rows"},
		{[]string{"-pause", "-1s", "--", "true"}, statusUsage, "above 0"},
		{[]string{"-nosuch", "--", "true"}, statusUsage, "nosuch"},
		{[]string{"-o", "/nonexistent/folder/x.svg", "--", "true"}, statusFailed, "/nonexistent/folder"},
		{[]string{"-o", os.TempDir(), "--", "true"}, statusFailed, "recording:"},
		{[]string{"-help"}, 0, "usage: recording"},
	} {
		status, messages, p := recording(t.Context(), t, c.arguments...)
		if status != c.status || p != nil || !strings.Contains(messages, c.message) {
			t.Errorf("%q: status %d, a picture: %v: %s", c.arguments, status, p != nil, messages)
		}
	}
}
