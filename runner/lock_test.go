package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLockTiming(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	first, err := LockTiming(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*lockPoll)
	defer cancel()
	owners := []int{}
	if _, err := LockTiming(ctx, func(owner int) { owners = append(owners, owner) }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second owner: %v", err)
	}
	if len(owners) != 1 || owners[0] != os.Getpid() {
		t.Errorf("told of owners %v", owners)
	}
	time.AfterFunc(2*lockPoll, func() { first.Unlock() })
	second, err := LockTiming(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestLockIsNoLink(t *testing.T) {
	directory := t.TempDir()
	t.Setenv("TMPDIR", directory)
	victim := filepath.Join(directory, "victim")
	os.WriteFile(victim, []byte("precious"), 0o600)
	os.Symlink(victim, filepath.Join(directory, timingLockName))
	if lock, err := LockTiming(context.Background(), nil); err == nil {
		lock.Unlock()
		t.Error("a link is taken as the lock")
	}
	if text, _ := os.ReadFile(victim); string(text) != "precious" {
		t.Errorf("the file behind the link holds %q", text)
	}
}
