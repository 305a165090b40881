// Package version says which version this program is.
//
// # Where to find what
//
//   - which version this program is: version.go
package version

import (
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"polytune/internal/oneline"
	"polytune/isl"
	"polytune/store"
)

// Revision is a hash of this program: results of different versions are
// different pieces of work.
var Revision = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	if id := buildID(path); len(id) > 0 {
		return shortened(sha256.Sum256(id)), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return shortened([sha256.Size]byte(h.Sum(nil))), nil
})

func shortened(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:8]) }

// buildID is the note in which Go keeps a hash of all of a program that it links, or nothing where
// there is none, as in programs that were linked without one.
func buildID(path string) []byte {
	program, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer program.Close()
	const head, least = 16, 64 // the note's head with its name; an ID has two hashes at least
	section := program.Section(".note.go.buildid")
	if section == nil || section.Size < head+least {
		return nil
	}
	note, err := section.Data()
	if err != nil {
		return nil
	}
	return note
}

// BuildVersion is what the Go linker has noted of this program.
type BuildVersion struct {
	// revision is the commit, shortened, or the module's version where the program was
	// not built in its repository; "" where nothing is known. date is the commit's, as
	// year-month-day, or "".
	revision, date string
	// modified says that there were changes that are not in the commit.
	modified bool
	// static says that the program needs no shared libraries.
	static bool
}

// revisionLength is the number of digits of a commit that are shown.
const revisionLength = 12

// of reads the notes; info may be nil.
func of(info *debug.BuildInfo) (v BuildVersion) {
	if info == nil {
		return v
	}
	if info.Main.Version != "(devel)" {
		v.revision = info.Main.Version
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			v.revision = setting.Value[:min(len(setting.Value), revisionLength)]
		case "vcs.time":
			v.date, _, _ = strings.Cut(setting.Value, "T")
		case "vcs.modified":
			v.modified = setting.Value == "true"
		case "-ldflags":
			v.static = strings.Contains(setting.Value, "-static")
		}
	}
	return v
}

// This is that of the program that runs.
func This() BuildVersion {
	info, _ := debug.ReadBuildInfo()
	return of(info)
}

// String is one line for people and for the provenance of results.
func (v BuildVersion) String() string {
	text := cmp.Or(v.revision, "of an unknown revision")
	if v.date != "" {
		text += " of " + v.date
	}
	if v.modified {
		text += ", with changes"
	}
	return text
}

// Text is what tune --version prints: the program, and the parts on which
// results and databases depend.
func Text() string {
	v, linked := This(), ""
	if v.static {
		linked = ", static"
	}
	return fmt.Sprintf("tune %s\n%s %s/%s%s\nisl %s\nSQLite %s\ndatabase schema %d\n",
		v, runtime.Version(), runtime.GOOS, runtime.GOARCH, linked, oneline.First(isl.Version()), store.SQLiteVersion(), store.SchemaVersion())
}
