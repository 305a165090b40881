package transform

import "testing"

// Lanes are worth more than threads, but for a few, and threads alone nothing where arrays take
// memory.
func TestConcurrencyIsBetter(t *testing.T) {
	for _, test := range []struct {
		better, worse Concurrency
		want          bool
	}{
		{Concurrency{Beside: 2}, Concurrency{Beside: 1, Shared: 1}, true},
		{Concurrency{Beside: 2, Whole: true}, Concurrency{Beside: 1, Shared: 9}, true},
		{Concurrency{Beside: 1, Shared: 2}, Concurrency{Beside: 1, Shared: 1}, true},
		{Concurrency{Beside: 1, Shared: 2, Whole: true}, Concurrency{Beside: 1, Shared: 1}, false},
		{Concurrency{Beside: 1, Shared: 1}, Concurrency{Beside: 1, Shared: 1}, false},
		{Concurrency{Beside: 1, Shared: 9}, Concurrency{Beside: 3}, true},
		{Concurrency{Beside: 1, Shared: 8}, Concurrency{Beside: 3}, false},
		{Concurrency{Beside: 1, Shared: 9, Whole: true}, Concurrency{Beside: 3}, false},
	} {
		if got := test.better.IsBetterThan(test.worse); got != test.want {
			t.Errorf("%+v is better than %+v: %v", test.better, test.worse, got)
		}
	}
}
