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
	beginning := line[place:]
	common := ""
	for k, fit := range s.fitting(line[:place], beginning) {
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

// fitting are the words behind some text that begin so.
func (s *Session) fitting(before, beginning string) (fit []string) {
	var all []string
	if first := strings.TrimSpace(before); first == "" || first == "help" || first == "try" {
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
