package runner

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Cache is one cache as one processor sees it.
type Cache struct {
	// Level is 1 for the innermost.
	Level int `json:"level"`
	// Kind is "Data", "Instruction" or "Unified".
	Kind string `json:"kind"`
	// Size and Line are in bytes. Associativity is the number of ways.
	Size          int64 `json:"size"`
	Line          int   `json:"line"`
	Associativity int   `json:"associativity"`
	// SharedBy are the logical processors that share it, usable or not.
	SharedBy []int `json:"shared_by"`
}

// assumedCaches are those of a processor of which the system tells nothing: no
// later one has less.
var assumedCaches = []Cache{
	{Level: 1, Kind: "Data", Size: 32 << 10, Line: 64, Associativity: 8},
	{Level: 2, Kind: "Unified", Size: 256 << 10, Line: 64, Associativity: 8},
}

// DataCaches are the data and unified caches, innermost first. Where the system reports none, known
// is false and they are small ones that any machine has, each for one core; one of the first level
// there is always. Lines and associativities are never 0: what the system leaves out is taken to be
// 64 bytes and eight ways.
func (m Machine) DataCaches() (caches []Cache, known bool) {
	for _, c := range m.Caches {
		if c.Kind == "Instruction" {
			continue
		}
		c.Line = cmp.Or(c.Line, assumedCaches[0].Line)
		c.Associativity = cmp.Or(c.Associativity, assumedCaches[0].Associativity)
		caches = append(caches, c)
	}
	known = len(caches) > 0
	if known && caches[0].Level == 1 {
		return caches, known
	}
	for k, c := range assumedCaches {
		if len(m.Siblings) > 0 {
			c.SharedBy = m.Siblings[0]
		}
		if k >= len(caches) || caches[k].Level > c.Level {
			caches = slices.Insert(caches, k, c)
		}
	}
	return caches, known
}

// Share is what one of the programs or threads on the given logical processors
// has of the cache, in bytes: those among them that share it divide it. A
// cache with none of them is taken to stand for theirs, all alike.
func (c Cache) Share(cpus []int) int64 {
	sharing := 0
	for _, cpu := range cpus {
		if slices.Contains(c.SharedBy, cpu) {
			sharing++
		}
	}
	return c.Size / int64(max(sharing, 1))
}

// readCaches lists the caches of one processor by level and kind.
func readCaches(root fs.FS, cpu int) []Cache {
	base := fmt.Sprintf("sys/devices/system/cpu/cpu%d/cache", cpu)
	entries, err := fs.ReadDir(root, base)
	if err != nil {
		return nil
	}
	var caches []Cache
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "index") {
			continue
		}
		file := func(name string) string { return readText(root, base+"/"+entry.Name()+"/"+name) }
		number := func(name string) int { n, _ := strconv.Atoi(file(name)); return n }
		cache := Cache{
			Level: number("level"), Kind: file("type"), Size: parseSize(file("size")), Line: number("coherency_line_size"),
			Associativity: number("ways_of_associativity"), SharedBy: parseList(file("shared_cpu_list")),
		}
		if cache.Level > 0 && cache.Size > 0 {
			caches = append(caches, cache)
		}
	}
	slices.SortFunc(caches, func(a, b Cache) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Kind, b.Kind))
	})
	return caches
}

// parseSize reads the kernel's sizes, such as "48K"; 0 where it is none.
func parseSize(text string) int64 {
	shift := 0
	switch {
	case strings.HasSuffix(text, "K"):
		shift = 10
	case strings.HasSuffix(text, "M"):
		shift = 20
	case strings.HasSuffix(text, "G"):
		shift = 30
	}
	n, err := strconv.ParseInt(strings.TrimRight(text, "KMG"), 10, 64)
	if err != nil || n < 0 || n > 1<<32 {
		return 0
	}
	return n << shift
}
