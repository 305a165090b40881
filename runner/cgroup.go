package runner

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// cpuQuota is the smallest limit, in processors, that the control groups of
// this process set, of version 2 (cpu.max) or 1 (cpu.cfs_quota_us); 0 where
// there is none.
func cpuQuota(root fs.FS) float64 {
	smallest := 0.0
	note := func(quota float64) {
		if quota > 0 && (smallest == 0 || quota < smallest) {
			smallest = quota
		}
	}
	for line := range strings.Lines(readText(root, "proc/self/cgroup")) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for group := path.Clean("/" + fields[2]); ; group = path.Dir(group) {
			if fields[1] == "" {
				note(quotaV2(readText(root, path.Join("sys/fs/cgroup", group, "cpu.max"))))
			} else if strings.Contains(","+fields[1]+",", ",cpu,") {
				note(quotaV1(root, path.Join("sys/fs/cgroup/cpu", group)))
				note(quotaV1(root, path.Join("sys/fs/cgroup", fields[1], group)))
			}
			if group == "/" {
				break
			}
		}
	}
	return smallest
}

// quotaV2 reads "QUOTA PERIOD" in microseconds; "max" is no limit.
func quotaV2(text string) float64 {
	quota, period, _ := strings.Cut(text, " ")
	return ratio(quota, period)
}

func quotaV1(root fs.FS, group string) float64 {
	return ratio(readText(root, group+"/cpu.cfs_quota_us"), readText(root, group+"/cpu.cfs_period_us"))
}

func ratio(quota, period string) float64 {
	q, err1 := strconv.ParseFloat(quota, 64)
	p, err2 := strconv.ParseFloat(period, 64)
	if err1 != nil || err2 != nil || !(q > 0) || !(p > 0) {
		return 0
	}
	return q / p
}
