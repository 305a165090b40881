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

// DataCache is the data or unified cache of a level; ok is false where the
// system reports none.
func (m Machine) DataCache(level int) (cache Cache, ok bool) {
	for _, c := range m.Caches {
		if c.Level == level && c.Kind != "Instruction" {
			return c, true
		}
	}
	return Cache{}, false
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
