package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"polytune/isl"
	"polytune/store"
)

// buildVersion is what the Go linker has noted of this program.
type buildVersion struct {
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

// versionOf reads the notes; info may be nil.
func versionOf(info *debug.BuildInfo) (v buildVersion) {
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

// thisVersion is that of the program that runs.
func thisVersion() buildVersion {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// String is one line for people and for the provenance of results.
func (v buildVersion) String() string {
	text := cmp.Or(v.revision, "of an unknown revision")
	if v.date != "" {
		text += " of " + v.date
	}
	if v.modified {
		text += ", with changes"
	}
	return text
}

// versionText is what tune --version prints: the program, and the parts on which
// results and databases depend.
func versionText() string {
	v, linked := thisVersion(), ""
	if v.static {
		linked = ", static"
	}
	return fmt.Sprintf("tune %s\n%s %s/%s%s\nisl %s\nSQLite %s\ndatabase schema %d\n",
		v, runtime.Version(), runtime.GOOS, runtime.GOARCH, linked, firstLine(isl.Version()), store.SQLiteVersion(), store.SchemaVersion())
}
