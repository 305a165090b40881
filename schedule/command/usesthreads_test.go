package command

import "testing"

func TestUsesThreads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"classes {S0}\nband c0 permutable S0[i] -> [i]\nvectorize c0.1\n":   false,
		"classes {S0}\nband c0 permutable S0[i] -> [i]\nparallel c0.1\n":    true,
		"relay c0.1t hands c0_0.3 shares c0_1.2r from 64\n":                 true,
		"# parallel c0.1 does not pay\nclasses {S0}\ntile c0.1 c0.2 by 8\n": false,
		"": false,
	} {
		if got := UsesThreads(text); got != want {
			t.Errorf("%q: %v, not %v", text, got, want)
		}
	}
}
