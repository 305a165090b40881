package check

import (
	"testing"
)

// Loops in one kernel that different numbers of threads share are run once.
func TestFewerThreads(t *testing.T) {
	need(t, "g++", "g++")
	test := barrierKernel{"polybench/gesummv", "classes {S0 S1 S2 S3 S4}\n" +
		"split c0 {S0 S1} {S2 S3} {S4}\nband c0_0 S0[i] -> [i]; S1[i] -> [i]\nband c0_1 S2[i, j] -> [i]; S3[i, j] -> [i]\nband c0_1 S2[i, j] -> [j]; S3[i, j] -> [j]\nband c0_2 S4[i] -> [i]\n" +
		"kernel c0\nthread c0_0.1 by 8\nthread c0_1.1 by 3\nthread c0_2.1 by 5\nbarrier after c0_0\nbarrier after c0_1\n", map[string]int{"N": 20}}
	checks, chosen, v := test.emulated(t)
	if !isEqual(t, checks, chosen, v, string(v.Source), string(v.Device.Text)) {
		t.Errorf("the result is another one:\n%s", v.Device.Text)
	}
}
