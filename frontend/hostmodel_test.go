package frontend

import (
	"slices"
	"strings"
	"testing"

	"modernc.org/cc/v4"
)

func TestSearchedFolders(t *testing.T) {
	host := &cc.Config{IncludePaths: []string{"", "/usr/include"}, SysIncludePaths: []string{"/usr/include"}}
	o := Options{QuotePaths: []string{"q"}, IncludePaths: []string{"i", "/usr/include", "s", "j"}, SystemPaths: []string{"s"}, LastPaths: []string{"l"}}
	quoted, angled := o.searched(host)
	if want := []string{"", "q", "i", "j", "s", "", "/usr/include", "l"}; !slices.Equal(quoted, want) {
		t.Errorf("quoted %q; want %q", quoted, want)
	}
	if want := []string{"i", "j", "s", "/usr/include", "l"}; !slices.Equal(angled, want) {
		t.Errorf("in angle brackets %q; want %q", angled, want)
	}
}

func TestDataModel(t *testing.T) {
	abi, err := cc.NewABI("linux", "amd64")
	if err != nil {
		t.Fatal(err)
	}
	for macros, problem := range map[string]string{
		"":                              "",
		"#define __SIZEOF_LONG__ 8\n":   "",
		"#define __SIZEOF_WINT_T__ 2\n": "",
		"#define __SIZEOF_INT__ 4\n#define __SIZEOF_LONG__ 4\n": "LONG of 4 bytes instead of 8",
		"#define __SIZEOF_POINTER__ 4\n":                        "POINTER of 4 bytes instead of 8",
	} {
		err := checkDataModel("f.c", &cc.Config{ABI: abi, Predefined: macros})
		if (err == nil) != (problem == "") || err != nil && !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: %v", macros, err)
		}
	}
}
