package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

// ToolchainWatch notices when a compiler is replaced while it is in use, such
// as by an upgrade of the system in the middle of the night. Its methods may be
// called by several goroutines.
type ToolchainWatch struct {
	toolchain Toolchain
	mutex     sync.Mutex
	last      stamp
}

// ToolchainChangedError says that a compiler is not the one any more that it was.
type ToolchainChangedError struct {
	Path string
	// Was and Is are descriptions, such as versions.
	Was, Is string
}

func (e *ToolchainChangedError) Error() string {
	return fmt.Sprintf("the compiler %s was replaced meanwhile: it was %s and is %s; results of the two are never mixed: run the same command again, which begins anew with the present one", e.Path, e.Was, e.Is)
}

// stamp tells a file from one that has taken its place.
type stamp struct {
	path          string
	device, inode uint64
	size          int64
	modified      unix.Timespec
}

// stampOf is that of the file behind the links of a path; that of no file is
// the zero value.
func stampOf(path string) stamp {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return stamp{}
	}
	var status unix.Stat_t
	if err := unix.Stat(resolved, &status); err != nil {
		return stamp{}
	}
	return stamp{resolved, uint64(status.Dev), status.Ino, status.Size, status.Mtim}
}

// WatchToolchain begins to watch a toolchain that was just found.
func WatchToolchain(t Toolchain) *ToolchainWatch {
	return &ToolchainWatch{toolchain: t, last: stampOf(t.Path)}
}

// Check gives a *ToolchainChangedError when the compiler has another identity
// than at the beginning. It asks the compiler only where its file is another
// one than before: a replacement by the same version changes nothing. The compiler
// is asked in the environment of the modules that were loaded for it.
func (w *ToolchainWatch) Check(ctx context.Context) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	now := stampOf(w.toolchain.Path)
	if now == w.last {
		return nil
	}
	t := w.toolchain
	is, err := t.examined(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &ToolchainChangedError{Path: t.Path, Was: t.described(), Is: "one that does not work: " + err.Error()}
	case is.ID != t.ID:
		return &ToolchainChangedError{Path: t.Path, Was: t.described(), Is: is.described()}
	}
	w.last = now
	return nil
}

// described is the toolchain in a few words.
func (t *Toolchain) described() string {
	return fmt.Sprintf("%s %s (%s, id %s)", t.Family, t.Version, t.Resolved, t.ID)
}
