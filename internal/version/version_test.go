package version

import (
	"bytes"
	"os"
	"os/exec"
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	settings := func(pairs ...string) (list []debug.BuildSetting) {
		for k := 0; k < len(pairs); k += 2 {
			list = append(list, debug.BuildSetting{Key: pairs[k], Value: pairs[k+1]})
		}
		return list
	}
	commit := settings("vcs.revision", "009a89c02b1d4f5e6a7b", "vcs.time", "2026-11-22T21:10:00Z", "vcs.modified", "false")
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "of an unknown revision"},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "of an unknown revision"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-2026"}, Settings: commit}, "009a89c02b1d of 2026-11-22"},
		{&debug.BuildInfo{Settings: append(settings("vcs.revision", "009a"), settings("vcs.modified", "true")...)}, "009a, with changes"},
	} {
		if got := of(c.info).String(); got != c.want {
			t.Errorf("%+v: %q; want %q", c.info, got, c.want)
		}
	}
	for flags, want := range map[string]bool{"-linkmode external -extldflags -static": true, "-s -w": false} {
		if v := of(&debug.BuildInfo{Settings: settings("-ldflags", flags)}); v.static != want {
			t.Errorf("%s: static %v", flags, v.static)
		}
	}
}

// Programs have IDs of their own, and what Go has not linked has none.
func TestBuildID(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	id := buildID(path)
	if bytes.Count(id, []byte("/")) < 1 {
		t.Errorf("the ID of this test is %q", id)
	}
	other, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no other program of Go's")
	}
	if theirs := buildID(other); bytes.Equal(theirs, id) {
		t.Errorf("%s has the ID %q of this test", other, theirs)
	}
	if none := buildID("version.go"); none != nil {
		t.Errorf("version.go has the ID %q", none)
	}
	if revision, err := Revision(); err != nil || len(revision) != 16 {
		t.Errorf("the revision is %q: %v", revision, err)
	}
}
