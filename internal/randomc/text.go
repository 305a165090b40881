package randomc

import "polytune/internal/ctext"

// mentions says whether a text has a name as a word.
func mentions(text, name string) bool {
	for _, word := range ctext.Words(text) {
		if word == name {
			return true
		}
	}
	return false
}
