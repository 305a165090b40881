package benchmarks

import (
	"io/fs"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// itemStart begins the text of each kernel in the catalogue.
const itemStart = "\n- name: "

// items are the texts of the kernels in the catalogue, in its order. Reading one of them takes a
// tenth of a millisecond, reading all of them as long as a short command does otherwise.
var items = sync.OnceValue(func() []string {
	text := intact(fs.ReadFile(files, "catalogue.yaml"))
	return strings.Split(string(text), itemStart)[1:]
})

// findItem is the item of a kernel of that name, or of that name in the first suite that has one;
// "" where there is none.
func findItem(name string) (item string) {
	order := map[string]int{}
	first := len(items())
	for _, text := range items() {
		own, _, _ := strings.Cut(text, "\n")
		suite, kernel, _ := strings.Cut(own, "/")
		if _, known := order[suite]; !known {
			order[suite] = len(order)
		}
		if (own == name || kernel == name) && order[suite] < first {
			first, item = order[suite], text
		}
	}
	return item
}

// readItem is the kernel that an item describes; sizes may be those of another kernel (*anchor).
func readItem(item string) (Benchmark, error) {
	text := itemStart + item
	if _, rest, hasAlias := strings.Cut(item, ": *"); hasAlias {
		anchor, _, _ := strings.Cut(rest, "\n")
		for _, other := range items() {
			if strings.Contains(other, ": &"+anchor+"\n") {
				text = itemStart + other + text
			}
		}
	}
	var entries []entry
	if err := yaml.Unmarshal([]byte(text), &entries); err != nil {
		return Benchmark{}, err
	}
	return entries[len(entries)-1].benchmark(files)
}
