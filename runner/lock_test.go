package runner

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestLockTiming(t *testing.T) {
	t.Setenv(lockFolderVariable, t.TempDir())
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

// lockOwner is the environment variable by which this test's process takes the lock of a
// folder, and never gives it back.
const lockOwner = "POLYTUNE_TEST_LOCK_OWNER"

// TestLockOfADeadOwner kills a process that has the lock: the next one gets it.
func TestLockOfADeadOwner(t *testing.T) {
	if folder := os.Getenv(lockOwner); folder != "" {
		t.Setenv(lockFolderVariable, folder)
		if _, err := LockTiming(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("locked\n")
		time.Sleep(time.Hour)
	}
	t.Setenv(lockFolderVariable, t.TempDir())
	owner := exec.Command(os.Args[0], "-test.run=^TestLockOfADeadOwner$")
	owner.Env = append(os.Environ(), lockOwner+"="+os.Getenv(lockFolderVariable))
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	defer owner.Process.Kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*lockPoll)
	defer cancel()
	told := 0
	if _, err := LockTiming(ctx, func(pid int) { told = pid }); !errors.Is(err, context.DeadlineExceeded) || told != owner.Process.Pid {
		t.Errorf("beside the owner %d: told of %d, %v", owner.Process.Pid, told, err)
	}
	owner.Process.Kill()
	owner.Wait()
	patient, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	lock, err := LockTiming(patient, nil)
	if err != nil {
		t.Fatalf("after the owner's death: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestLockIsNoLink(t *testing.T) {
	directory := t.TempDir()
	t.Setenv(lockFolderVariable, directory)
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
	t.Setenv(lockFolderVariable, t.TempDir())
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

// The lock's place is one for all processes of the machine, whatever folder for
// temporary files a batch system gives them, and everyone may open it.
func TestLockFolder(t *testing.T) {
	t.Setenv(lockFolderVariable, "")
	before := lockFolder()
	t.Setenv("TMPDIR", t.TempDir())
	if after := lockFolder(); after != before {
		t.Errorf("the lock is in %s, with another TMPDIR in %s", before, after)
	}
	own := t.TempDir()
	t.Setenv(lockFolderVariable, own)
	defer unix.Umask(unix.Umask(0o077))
	lock, err := LockTiming(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	info, err := os.Stat(filepath.Join(own, timingLockName))
	if err != nil || info.Mode().Perm() != lockMode {
		t.Errorf("the lock has mode %v, error %v", info.Mode(), err)
	}
}

func TestSharedFolder(t *testing.T) {
	folder := t.TempDir()
	for mode, want := range map[os.FileMode]bool{
		0o755: false, 0o777: false, os.ModeSticky | 0o777: true, os.ModeSticky | 0o775: false,
	} {
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		if isShared(folder) != want {
			t.Errorf("a folder of mode %v: shared %t", mode, !want)
		}
	}
	if isShared(filepath.Join(folder, "missing")) {
		t.Error("a missing folder is shared")
	}
}
