package session

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestAllotment checks what a call may take of its budget and of a batch job's time.
func TestAllotment(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	for _, c := range []struct {
		name   string
		budget time.Duration
		// job is the time left to the job, 0 for none; later is when the
		// session begins.
		job, later  time.Duration
		want        time.Duration
		ends, byJob bool
	}{
		{"no job", 0, 0, 0, 0, false, false},
		{"no job, budget", time.Hour, 0, 0, time.Hour, true, false},
		{"no job, a later session", time.Hour, 0, time.Minute, 59 * time.Minute, true, false},
		{"job", 0, 2 * time.Hour, 0, 116 * time.Minute, true, true},
		{"short job", 0, 10 * time.Minute, 0, 9 * time.Minute, true, true},
		{"budget within the job", time.Hour, 2 * time.Hour, 0, time.Hour, true, false},
		{"budget beyond the job", 3 * time.Hour, 2 * time.Hour, 0, 116 * time.Minute, true, true},
		{"budget over", time.Hour, 2 * time.Hour, time.Hour, 0, true, false},
		{"too late", 0, 2 * time.Hour, 117 * time.Minute, -time.Minute, true, true},
	} {
		getenv := func(string) string {
			if c.job == 0 {
				return ""
			}
			return strconv.FormatInt(now.Add(c.job).Unix(), 10)
		}
		a, err := NewAllotment(io.Discard, c.budget, getenv, now)
		if err != nil {
			t.Fatal(err)
		}
		if left := a.left(now.Add(c.later)); left != c.want || a.ends() != c.ends || a.byJob != c.byJob {
			t.Errorf("%s: %v left, %+v", c.name, left, a)
		}
	}
	_, err := NewAllotment(io.Discard, 0, func(string) string { return "tomorrow" }, now)
	if err == nil || !strings.Contains(err.Error(), "unset it, or give --budget") {
		t.Errorf("no number: %v", err)
	}
}
