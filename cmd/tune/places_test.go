package main

import (
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// placesHeading stands above the list of a package comment that says where to find what.
const placesHeading = "\n# Where to find what\n"

// TestPlaces checks these lists: a name without a folder is in the folder that stands last before it
// in its item, at first the package's own.
func TestPlaces(t *testing.T) {
	t.Parallel()
	item := regexp.MustCompile(`(?m)^ {2}- `)
	lists, names := 0, 0
	comments := packageComments(t)
	for _, folder := range slices.Sorted(maps.Keys(comments)) {
		_, list, found := strings.Cut(comments[folder], placesHeading)
		if !found {
			continue
		}
		list, _, _ = strings.Cut(list, "\n# ")
		lists++
		for line := range strings.Lines(list) {
			if utf8.RuneCountInString("// "+strings.TrimSuffix(line, "\n")) > 100 {
				t.Errorf("%s: a line of its comment is wider than 100 columns: %s", folder, line)
			}
		}
		for _, text := range item.Split(list, -1)[1:] {
			names += checkPlaces(t, folder, text)
		}
	}
	if lists < 40 || names < 600 {
		t.Errorf("%d lists with %d names were found", lists, names)
	}
}

// TestPlacesShowWhatIsGone has lists that name what is not there.
func TestPlacesShowWhatIsGone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"tiles: tile.go, marks.go; scop/depend/marks.go, check.go": 0,
		"tiles: gone.go, tile.go":                                  1,
		"marks: scop/depend/marks.go, tile.go":                     1,
		"folders: scop/depend/, gone/folder/":                      1,
		"pages: docs/gpu.md, docs/gone.md":                         1,
	} {
		if missing := missingPlaces("codegen", text); len(missing) != want {
			t.Errorf("of %q there are not: %v", text, missing)
		}
	}
}

// placeName is a file's or a folder's name.
var placeName = regexp.MustCompile(`(?:^|[\s(])([\w-][\w./-]*(?:\.(?:go|yaml|tmpl|html|css|golden|json|md|sql|h)|/))(?:[\s),;:.]|$)`)

// checkPlaces checks the names in an item and counts them.
func checkPlaces(t *testing.T, folder, text string) int {
	t.Helper()
	for _, name := range missingPlaces(folder, text) {
		t.Errorf("%s: %s: there is no %s", folder, strings.Join(strings.Fields(text), " "), name)
	}
	return len(placeName.FindAllString(text, -1))
}

// missingPlaces are the names in an item that are no files or folders.
func missingPlaces(folder, text string) (missing []string) {
	for _, name := range placeName.FindAllStringSubmatch(strings.ReplaceAll(text, " ", "  "), -1) {
		path := name[1]
		switch {
		case strings.HasSuffix(path, "/"):
			folder = strings.TrimSuffix(path, "/")
			path = folder
		case strings.Contains(path, "/"):
			folder = filepath.Dir(path)
		default:
			path = filepath.Join(folder, path)
		}
		if !exists(path) {
			missing = append(missing, name[1])
		}
	}
	return missing
}

// packageComments are the comments of all packages, by their folders.
func packageComments(t *testing.T) map[string]string {
	t.Helper()
	comments := map[string]string{}
	for _, folders := range packageFolders(t) {
		for _, folder := range folders {
			files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range files {
				file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
				if err != nil {
					t.Fatal(err)
				}
				if file.Doc != nil && !strings.HasSuffix(path, "_test.go") {
					comments[folder] += file.Doc.Text()
				}
			}
		}
	}
	return comments
}
