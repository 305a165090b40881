package runner

import (
	"context"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mostOfLastCache bounds a third cache that the C library reports: for AMD's
// processors that is the sum over all chiplets, of which a core reaches its own,
// 16 MiB (Zen 2) or 32 MiB (since Zen 3).
const mostOfLastCache = 32 << 20

// configuredCaches are the caches that the C library knows of, from what
// `getconf -a` prints. They stand in for the kernel's list, which some virtual machines
// lack: there the library still reads the processor's identification. The first two
// levels are taken to belong to one core, whose logical processors are
// siblings, the third to all of cpus.
func configuredCaches(getconf string, siblings, cpus []int) []Cache {
	values := map[string]int64{}
	for line := range strings.Lines(getconf) {
		if fields := strings.Fields(line); len(fields) == 2 {
			values[fields[0]], _ = strconv.ParseInt(fields[1], 10, 64)
		}
	}
	var caches []Cache
	for _, c := range []struct {
		name, kind string
		shared     []int
	}{{"LEVEL1_DCACHE", "Data", siblings}, {"LEVEL1_ICACHE", "Instruction", siblings}, {"LEVEL2_CACHE", "Unified", siblings}, {"LEVEL3_CACHE", "Unified", cpus}} {
		cache := Cache{
			Level: int(c.name[len("LEVEL")] - '0'), Kind: c.kind, Size: values[c.name+"_SIZE"],
			Line: int(values[c.name+"_LINESIZE"]), Associativity: int(values[c.name+"_ASSOC"]), SharedBy: slices.Clone(c.shared),
		}
		if cache.Level == 3 {
			cache.Size = min(cache.Size, mostOfLastCache)
		}
		if cache.Size > 0 {
			caches = append(caches, cache)
		}
	}
	return caches
}

// askConfiguration is what `getconf -a` prints; "" where there is no such program.
func askConfiguration() string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, "getconf", "-a").Output()
	if err != nil {
		return ""
	}
	return string(text)
}
