package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// inBackticks is a piece of code in a page.
var inBackticks = regexp.MustCompile("`([^`\n]+)`")

// TestPlaces checks the table of docs/architecture.md that says where to find what: a
// name without a folder is in the folder that stands last before it.
func TestPlaces(t *testing.T) {
	t.Parallel()
	sourceFile := regexp.MustCompile(`^[\w./-]+\.(go|yaml|tmpl|html|css|golden|json|md)$`)
	link := regexp.MustCompile(`\]\(([^)#]+)\)`)
	rows := 0
	for _, row := range tableRows(t, "architecture.md", "| question | place |") {
		folder := ""
		place := row[1]
		for _, code := range inBackticks.FindAllStringSubmatch(place, -1) {
			name := code[1]
			isFolder := strings.HasSuffix(name, "/")
			switch {
			case isFolder && exists(name):
				folder = name
			case strings.Contains(name, "/") && exists(name):
				folder = filepath.Dir(name)
			case strings.Contains(name, "NAME") || !isFolder && !sourceFile.MatchString(name):
			case isFolder || !exists(filepath.Join(folder, name)):
				t.Errorf("%s: there is no %s in %q", row[0], name, folder)
			}
		}
		for _, l := range link.FindAllStringSubmatch(place, -1) {
			if !exists(filepath.Join("docs", l[1])) {
				t.Errorf("%s: there is no docs/%s", row[0], l[1])
			}
		}
		rows++
	}
	if rows < 40 {
		t.Errorf("%d rows were found", rows)
	}
}

// TestPageNames checks the names of functions, types and variables in the pages, such
// as `codegen.Program`, and the test functions that they name.
func TestPageNames(t *testing.T) {
	t.Parallel()
	folders := packageFolders(t)
	qualified := regexp.MustCompile(`^([a-z]+)\.([A-Z]\w*)`)
	test := regexp.MustCompile(`\b(?:Test|Benchmark)[A-Z]\w+`)
	all, checked := "", 0
	sources := map[string]string{}
	for name, several := range folders {
		for _, folder := range several {
			sources[name] += packageSource(t, folder)
		}
		all += sources[name]
	}
	for _, page := range allPages(t) {
		text := readPage(t, page)
		for _, code := range inBackticks.FindAllStringSubmatch(text, -1) {
			name := qualified.FindStringSubmatch(code[1])
			if name == nil || folders[name[1]] == nil {
				continue
			}
			checked++
			declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |const |\t)` + name[2] + `\b`)
			if !declared.MatchString(sources[name[1]]) {
				t.Errorf("%s: %s has no %s", page, folders[name[1]], name[2])
			}
		}
		for _, name := range test.FindAllString(text, -1) {
			if !strings.Contains(all, "func "+name+"(") {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d names were checked", checked)
	}
}

// TestPageFlags compares the tables of docs/commands.md with the flags that the commands
// have, and looks for flags in all pages that no command has.
func TestPageFlags(t *testing.T) {
	t.Parallel()
	have := map[string][]string{}
	known := foreignFlags
	for _, c := range append(newRootCommand().Commands(), newRootCommand()) {
		var names []string
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		known = append(known, names...)
		if !c.Hidden {
			have[c.CommandPath()] = without(names, everywhere)
		}
	}
	listed := pageFlags(t)
	for _, path := range slices.Sorted(maps.Keys(have)) {
		if got := listed[path]; !slices.Equal(got, have[path]) {
			t.Errorf("docs/commands.md gives %s the flags\n%s\nbut it has\n%s", path, strings.Join(got, " "), strings.Join(have[path], " "))
		}
	}
	for path := range listed {
		if _, is := have[path]; !is {
			t.Errorf("docs/commands.md has flags of %s, which is no command", path)
		}
	}
	flag := regexp.MustCompile(`(?:^|[^-\w])(--[a-z][a-z-]*[a-z])`)
	for _, page := range allPages(t) {
		for _, f := range flag.FindAllStringSubmatch(readPage(t, page), -1) {
			if !slices.Contains(known, f[1]) {
				t.Errorf("%s: no command has %s", page, f[1])
			}
		}
	}
}

// everywhere are the flags that all commands or tune itself has beside those of its work.
var everywhere = []string{"--help", "--config", "--log", "--version"}

// foreignFlags are those of other programs that the pages name.
var foreignFlags = []string{"--build", "--enable-static", "--signal", "--parallel", "--notile", "--noparallel", "--noprevector", "--nounrolljam",
	"--smartfuse", "--nofuse", "--maxfuse", "--typedfuse", "--hybridfuse", "--openmp", "--save-schedule-file", "--diamond-tile", "--full-diamond-tile", "--second-level-tile", "--multipar",
	"--tile-size", "--wrap", "--no-reschedule", "--save-schedule", "--load-schedule", "--schedule-fuse", "--isolate-full-tiles", "--unroll-copy-shared", "--unroll-gpu-tile",
	"--hybrid", "--ctx", "--assume-non-negative-parameters", "--live-range-reordering", "--linearize-device-arrays", "--opencl-use-gpu", "--no-opencl-use-gpu",
	"--opencl-embed-kernel-code"}

// pageFlags are the flags of each command by the tables of docs/commands.md.
func pageFlags(t *testing.T) map[string][]string {
	t.Helper()
	group := regexp.MustCompile(`\*(\w+)\*`)
	groups, listed := map[string][]string{}, map[string][]string{}
	flagsOf := func(cell string) (names []string) {
		for _, code := range inBackticks.FindAllStringSubmatch(cell, -1) {
			if strings.HasPrefix(code[1], "--") {
				names = append(names, code[1])
			}
		}
		return names
	}
	for _, row := range tableRows(t, "commands.md", "| group | flags |") {
		groups[strings.Trim(row[0], "*")] = flagsOf(row[1])
	}
	for _, row := range tableRows(t, "commands.md", "| command | flags |") {
		names := flagsOf(row[1])
		for _, g := range group.FindAllStringSubmatch(row[1], -1) {
			if groups[g[1]] == nil {
				t.Errorf("docs/commands.md: there is no group %s", g[1])
			}
			names = append(names, groups[g[1]]...)
		}
		slices.Sort(names)
		listed[strings.Trim(row[0], "`")] = names
	}
	return listed
}

func without(names, others []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
	slices.Sort(names)
	return names
}

// tableRows are the rows of the table with that head in a page of docs, as their cells.
func tableRows(t *testing.T, page, head string) (rows [][]string) {
	t.Helper()
	_, table, found := strings.Cut(readPage(t, "docs/"+page), "\n"+head+"\n")
	if !found {
		t.Fatalf("docs/%s has no table %s", page, head)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		var cells []string
		for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		if len(cells) != strings.Count(head, "|")-1 {
			t.Fatalf("docs/%s: %d cells: %s", page, len(cells), line)
		}
		rows = append(rows, cells)
	}
	return rows
}

// allPages are the README and the pages of docs.
func allPages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(found) < 8 {
		t.Fatalf("pages %v, %v", found, err)
	}
	list := []string{"README.md", "examples/README.md"}
	for _, path := range found {
		list = append(list, "docs/"+filepath.Base(path))
	}
	return list
}

func readPage(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func exists(path string) bool {
	_, err := os.Stat(filepath.Join("../..", path))
	return err == nil
}

// packageFolders are the folders of the packages, by the packages' names.
func packageFolders(t *testing.T) map[string][]string {
	t.Helper()
	folders := map[string][]string{}
	for _, pattern := range []string{"*", "*/*", "*/*/*"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			folder := strings.TrimPrefix(filepath.Dir(path), "../../")
			if name := filepath.Base(folder); !slices.Contains(folders[name], folder) {
				folders[name] = append(folders[name], folder)
			}
		}
	}
	return folders
}

// packageSource is the text of all files of a package.
func packageSource(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}
