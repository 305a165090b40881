package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// TimingLock is the right to time programs on this machine, which one process
// has at a time, so that two tuners never disturb each other's timings; or the
// right to build programs, which several may have while none times.
type TimingLock struct {
	file      *os.File
	exclusive bool
}

// timingLockName is the lock's file.
const timingLockName = "tune-timing.lock"

// lockFolderVariable names the folder of the lock where no other will do: in a
// batch system whose jobs have folders of their own in the place of all those
// that they would share.
const lockFolderVariable = "TUNE_LOCK_FOLDER"

// sharedFolders are those of a machine in which every user may make files. A
// batch system that gives each job a /tmp of its own mostly leaves the others.
var sharedFolders = []string{"/run/lock", "/var/tmp", "/tmp"}

// lockFolder is the folder of the lock. It does not depend on TMPDIR, which
// batch systems set for each job, but must be the same for all of them.
func lockFolder() string {
	if folder := os.Getenv(lockFolderVariable); folder != "" {
		return folder
	}
	for _, folder := range sharedFolders {
		if isShared(folder) {
			return folder
		}
	}
	return os.TempDir()
}

// isShared says whether all users may make files in the folder, and nobody may
// remove those of others.
func isShared(folder string) bool {
	info, err := os.Stat(folder)
	return err == nil && info.IsDir() && info.Mode()&os.ModeSticky != 0 && info.Mode().Perm()&0o777 == 0o777
}

// lockPoll is the time between two attempts to get the lock.
const lockPoll = 50 * time.Millisecond

// LockTiming waits for the machine's timing lock. When another process has
// it, waiting, if not nil, is called once with that process's number, 0 when
// unknown. The error is ctx's when ctx ends first. The system releases the
// lock when its owner dies.
func LockTiming(ctx context.Context, waiting func(owner int)) (*TimingLock, error) {
	return lockMachine(ctx, unix.LOCK_EX, waiting)
}

// LockBuilding waits until no process times programs on this machine, and keeps
// others from it. Several processes may build at the same time. waiting and the
// error are as with LockTiming.
func LockBuilding(ctx context.Context, waiting func(owner int)) (*TimingLock, error) {
	return lockMachine(ctx, unix.LOCK_SH, waiting)
}

// lockMachine gets the lock exclusively or shared.
func lockMachine(ctx context.Context, how int, waiting func(owner int)) (*TimingLock, error) {
	file, err := openLock(filepath.Join(lockFolder(), timingLockName))
	if err != nil {
		return nil, fmt.Errorf("no timing lock (set "+lockFolderVariable+" to a folder that all users of this machine share): %w", err)
	}
	for told := false; ; {
		err := unix.Flock(int(file.Fd()), how|unix.LOCK_NB)
		if err == nil {
			lock := &TimingLock{file: file, exclusive: how == unix.LOCK_EX}
			if lock.exclusive {
				writeOwner(file, strconv.Itoa(os.Getpid())+"\n")
			}
			return lock, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			file.Close()
			return nil, fmt.Errorf("cannot lock %s: %w", file.Name(), err)
		}
		if !told && waiting != nil {
			waiting(readOwner(file))
		}
		told = true
		select {
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// Unlock gives the lock back.
func (l *TimingLock) Unlock() error {
	if l.exclusive {
		writeOwner(l.file, "")
	}
	return errors.Join(unix.Flock(int(l.file.Fd()), unix.LOCK_UN), l.file.Close())
}

// openLock opens or makes the file. It may belong to another user: then it is
// opened for reading, which is enough for flock. It is never a link.
func openLock(path string) (*os.File, error) {
	for _, flags := range []int{os.O_RDWR, os.O_RDONLY, os.O_RDWR | os.O_CREATE | os.O_EXCL, os.O_RDWR, os.O_RDONLY} {
		file, err := os.OpenFile(path, flags|unix.O_NOFOLLOW, lockMode)
		if err == nil {
			return openToAll(file, flags)
		}
		if flags == os.O_RDONLY && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("cannot make %s", path)
}

// lockMode lets everyone open the lock.
const lockMode = 0o644

// openToAll gives a lock that was just made the mode that the user's umask may
// have taken away.
func openToAll(file *os.File, flags int) (*os.File, error) {
	if flags&os.O_CREATE == 0 {
		return file, nil
	}
	if err := file.Chmod(lockMode); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// writeOwner notes the owner for the others' messages; where the file belongs
// to another user, the note is left out.
func writeOwner(file *os.File, owner string) {
	if file.Truncate(0) == nil {
		_, _ = file.WriteAt([]byte(owner), 0)
	}
}

func readOwner(file *os.File) int {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 32))
	if err != nil {
		return 0
	}
	owner, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return owner
}
