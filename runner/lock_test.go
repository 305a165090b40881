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

// Several may build at once, but not while somebody times, and nobody times
// while somebody builds.
func TestLockBuilding(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	lock := func(how func(context.Context, func(int)) (*TimingLock, error)) *TimingLock {
		ctx, cancel := context.WithTimeout(context.Background(), 3*lockPoll)
		defer cancel()
		l, err := how(ctx, nil)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		return l
	}
	first, second := lock(LockBuilding), lock(LockBuilding)
	if first == nil || second == nil {
		t.Fatal("two cannot build at once")
	}
	if lock(LockTiming) != nil {
		t.Fatal("one times while others build")
	}
	if err := errors.Join(first.Unlock(), second.Unlock()); err != nil {
		t.Fatal(err)
	}
	timing := lock(LockTiming)
	if timing == nil {
		t.Fatal("nobody builds, and one cannot time")
	}
	if lock(LockBuilding) != nil {
		t.Error("one builds while another times")
	}
	if err := timing.Unlock(); err != nil {
		t.Fatal(err)
	}
	owners := 0
	building := lock(LockBuilding)
	ctx, cancel := context.WithTimeout(context.Background(), 3*lockPoll)
	defer cancel()
	LockTiming(ctx, func(owner int) { owners += owner })
	if owners != 0 {
		t.Error("who timed last is named as the one who builds")
	}
	building.Unlock()
}
