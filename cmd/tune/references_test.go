package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// inBackticks is a piece of code in a page.
var inBackticks = regexp.MustCompile("`([^`\n]+)`")

// TestPageFiles checks the files and folders that pages name with their folders.
func TestPageFiles(t *testing.T) {
	t.Parallel()
	file := regexp.MustCompile(`^[\w-]+(/[\w.-]+)+\.(go|yaml|tmpl|sql|json|h)$`)
	checked := 0
	for _, page := range append(decisions(t), "docs/architecture.md", "docs/glossary.md") {
		for _, code := range inBackticks.FindAllStringSubmatch(readPage(t, page), -1) {
			if !file.MatchString(code[1]) || strings.Contains(code[1], "WORD") {
				continue
			}
			checked++
			if !exists(code[1]) {
				t.Errorf("%s: there is no %s", page, code[1])
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d files were checked", checked)
	}
}

// TestPageLinks checks that what pages link to is there.
func TestPageLinks(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	checked := 0
	for _, page := range allPages(t) {
		for _, l := range link.FindAllStringSubmatch(readPage(t, page), -1) {
			if strings.Contains(l[1], "://") {
				continue
			}
			checked++
			if !exists(filepath.Join(filepath.Dir(page), l[1])) {
				t.Errorf("%s: there is no %s", page, l[1])
			}
		}
	}
	if checked < 150 {
		t.Errorf("%d links were checked", checked)
	}
}

// TestShortPages checks the lengths of the pages that are read first, and the width of their lines.
func TestShortPages(t *testing.T) {
	t.Parallel()
	for page, most := range map[string]int{"docs/architecture.md": 250, "docs/glossary.md": 40} {
		lines := strings.Split(strings.TrimSuffix(readPage(t, page), "\n"), "\n")
		if len(lines) > most || len(lines) < most/2 {
			t.Errorf("%s has %d lines; %d are enough", page, len(lines), most)
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s: a line is wider than 100 columns: %s", page, line)
			}
		}
	}
}

// TestPageNames checks the names of functions, types and variables in the pages, such
// as `codegen.Program`, and the test functions that they name.
func TestPageNames(t *testing.T) {
	t.Parallel()
	folders := packageFolders(t)
	qualified := regexp.MustCompile(`^([a-z]+)\.([A-Z]\w*)`)
	test := regexp.MustCompile(`\b(?:Test|Benchmark)[A-Z]\w+`)
	all, declared := map[string]bool{}, map[string]map[string]bool{}
	for name, several := range folders {
		declared[name] = map[string]bool{}
		for _, folder := range several {
			noteDeclared(declared[name], packageSource(t, folder))
		}
		maps.Copy(all, declared[name])
	}
	checked := map[string]bool{}
	isNew := func(name string) bool {
		was := checked[name]
		checked[name] = true
		return !was
	}
	for _, page := range allPages(t) {
		text := readPage(t, page)
		for _, code := range inBackticks.FindAllStringSubmatch(text, -1) {
			name := qualified.FindStringSubmatch(code[1])
			if name == nil || folders[name[1]] == nil || !isNew(name[0]) {
				continue
			}
			if !declared[name[1]][name[2]] {
				t.Errorf("%s: %s has no %s", page, folders[name[1]], name[2])
			}
		}
		for _, name := range test.FindAllString(text, -1) {
			if isNew(name) && !all[name] {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
	}
	if len(checked) < 200 {
		t.Errorf("%d names were checked", len(checked))
	}
}

// noteDeclared notes the names that lines of Go declare, those of fields and of lists included.
func noteDeclared(names map[string]bool, text string) {
	for line := range strings.Lines(text) {
		rest, is := strings.CutPrefix(line, "func ")
		if is && strings.HasPrefix(rest, "(") {
			_, rest, is = strings.Cut(rest, ") ")
		}
		for _, word := range []string{"type ", "var ", "const ", "\t"} {
			if !is {
				rest, is = strings.CutPrefix(line, word)
			}
		}
		if end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }); is && end > 0 {
			names[rest[:end]] = true
		}
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

// The help shows flags in the groups of docs/commands.md, each flag once.
func TestFlagGroups(t *testing.T) {
	t.Parallel()
	written := map[string]string{}
	for _, row := range tableRows(t, "commands.md", "| command | flags |") {
		written[strings.Trim(row[0], "`")] = row[1]
	}
	for _, c := range append(newRootCommand().Commands(), newRootCommand()) {
		text := c.UsageString()
		for _, g := range flagGroups {
			if inPage, inHelp := strings.Contains(written[c.CommandPath()], "*"+g.name+"*"), strings.Contains(text, "\n"+g.title+":\n"); inPage != inHelp && !c.Hidden {
				t.Errorf("%s: docs/commands.md has the group %s: %v, the help %v", c.CommandPath(), g.name, inPage, inHelp)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if line := regexp.MustCompile(`(?m)^ {2}.{4}--` + f.Name + `[ \[]`); len(line.FindAllString(text, -1)) != 1 {
				t.Errorf("%s --help does not show --%s once:\n%s", c.CommandPath(), f.Name, text)
			}
		})
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

// allPages are the README and the pages of docs, decisions included.
func allPages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(found) < 8 {
		t.Fatalf("pages %v, %v", found, err)
	}
	list := append([]string{"README.md", "examples/README.md", decisionIndex}, decisions(t)...)
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
