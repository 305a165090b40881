package runner

import (
	"testing"
	"testing/fstest"
	"time"
)

func TestStolenTime(t *testing.T) {
	root := fstest.MapFS{"proc/stat": {Data: []byte("cpu  9 9 9 9 9 9 9 900 0 0\ncpu0 1 2 3 4 5 6 7 150 9 9\n" +
		"cpu1 1 2 3 4 5 6 7 25 0 0\ncpu10 1 2 3 4 5 6 7 7000 0 0\ncpu2 1 2 3\nintr 5 0\n")}}
	for _, c := range []struct {
		cpus []int
		want time.Duration
	}{
		{nil, 0}, {[]int{0}, 1500 * time.Millisecond}, {[]int{0, 1}, 1750 * time.Millisecond}, {[]int{2, 7}, 0},
	} {
		if got := stolenTime(root, c.cpus); got != c.want {
			t.Errorf("%v: %v, want %v", c.cpus, got, c.want)
		}
	}
	if got := stolenTime(fstest.MapFS{}, []int{0}); got != 0 {
		t.Errorf("without /proc: %v", got)
	}
}
