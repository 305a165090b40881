package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// decisionIndex is the page that lists the decisions.
const decisionIndex = "docs/decisions/README.md"

// decisions are the pages of docs/decisions, without their index.
func decisions(t *testing.T) (list []string) {
	t.Helper()
	found, err := filepath.Glob("../../docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		if page := "docs/decisions/" + filepath.Base(path); page != decisionIndex {
			list = append(list, page)
		}
	}
	return list
}

// TestDecisions checks the form of decisions: their number, their parts in order, their length, and
// their line in the index.
func TestDecisions(t *testing.T) {
	t.Parallel()
	index := readPage(t, decisionIndex)
	name := regexp.MustCompile(`^docs/decisions/((\d{4})-[a-z0-9-]+\.md)$`)
	numbers := map[int]string{}
	for _, page := range decisions(t) {
		parts := name.FindStringSubmatch(page)
		if parts == nil {
			t.Errorf("%s: its name is no number with a word", page)
			continue
		}
		number, _ := strconv.Atoi(parts[2])
		if numbers[number] != "" {
			t.Errorf("%s has the number of %s", page, numbers[number])
		}
		numbers[number] = page
		for _, fault := range faultsOfDecision(number, readPage(t, page)) {
			t.Errorf("%s: %s", page, fault)
		}
		title, _, _ := strings.Cut(readPage(t, page), "\n")
		_, title, _ = strings.Cut(title, ". ")
		entry := fmt.Sprintf("- %d. [%s](%s):", number, title, parts[1])
		if !strings.Contains(strings.Join(strings.Fields(index), " "), entry) {
			t.Errorf("%s has no line %q", decisionIndex, entry)
		}
	}
	if len(numbers) < 60 {
		t.Errorf("%d decisions were found", len(numbers))
	}
	for _, fault := range []string{"title", "parts", "lines", "columns"} {
		broken := map[string]string{
			"title":   "# 3. Two\n\n**Question.** q\n\n**Answer.** a\n\n**Price.** p\n",
			"parts":   "# 2. Two\n\n**Answer.** a\n\n**Question.** q\n\n**Price.** p\n",
			"lines":   "# 2. Two\n\n**Question.** q\n\n**Answer.** a\n\n**Price.** p\n" + strings.Repeat("p\n", 40),
			"columns": "# 2. Two\n\n**Question.** q\n\n**Answer.** a\n\n**Price.** " + strings.Repeat("p", 100) + "\n",
		}[fault]
		if got := faultsOfDecision(2, broken); len(got) != 1 {
			t.Errorf("a fault in the %s is %v", fault, got)
		}
	}
}

// faultsOfDecision are what is wrong with a decision's form.
func faultsOfDecision(number int, text string) (faults []string) {
	if !strings.HasPrefix(text, fmt.Sprintf("# %d. ", number)) {
		faults = append(faults, "its title does not begin with its number")
	}
	if !regexp.MustCompile(`(?s)\n\n\*\*Question\.\*\* .*\n\n\*\*Answer\.\*\* .*\n\n\*\*Price\.\*\* `).MatchString(text) {
		faults = append(faults, "it has not Question, Answer and Price, in this order")
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > 40 {
		faults = append(faults, fmt.Sprintf("it has %d lines, 40 are enough", len(lines)))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 100 {
			faults = append(faults, "it is wider than 100 columns: "+line)
		}
	}
	return faults
}
