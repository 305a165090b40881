package stepwise

import (
	"slices"
	"strings"

	"polytune/schedule/command"
)

// Complete is a line with its last word completed as far as all words agree that fit there: in front
// commands, and behind them names of loops and statements.
func (s *Session) Complete(line string) string {
	place := strings.LastIndex(line, " ") + 1
	common := ""
	for k, fit := range s.Fitting(line) {
		if k == 0 {
			common = fit
			continue
		}
		for !strings.HasPrefix(fit, common) {
			common = common[:len(common)-1]
		}
	}
	if common == "" {
		return line
	}
	return line[:place] + common
}

// Fitting are the words that the last one of a line may become.
func (s *Session) Fitting(line string) (fit []string) {
	place := strings.LastIndex(line, " ") + 1
	before, beginning := line[:place], line[place:]
	var all []string
	if first := strings.TrimSpace(before); slices.Contains([]string{"", "help", "try", "either"}, first) || strings.HasSuffix(first, " |") {
		for _, spec := range command.All.Specs() {
			all = append(all, spec.Word()+" ")
		}
		for _, word := range Words() {
			all = append(all, word+" ")
		}
	} else if s.now.tree != nil {
		all = s.now.tree.AllNames()
	}
	for _, word := range all {
		if strings.HasPrefix(word, beginning) && !slices.Contains(fit, word) {
			fit = append(fit, word)
		}
	}
	return fit
}
