package points

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/isl"
)

func TestIn(t *testing.T) {
	for _, c := range []struct {
		set   string
		want  float64
		exact bool
	}{
		{"{ [i] : 0 <= i < 10 }", 10, true},
		{"{ S[] }", 1, true},
		{"{ [i] : i > 3 and i < 2 }", 0, true},
		{"{ A[i, j, k] : 0 <= i < 1000 and 0 <= j < 1100 and 0 <= k < 1200 }", 1.32e9, true},
		{"{ [i, j] : 0 <= j <= i < 2000 }", 2001000, true},
		{"{ [i, j] : 0 <= i < 10 and 0 <= j < 10; [i, j] : 5 <= i < 15 and 5 <= j < 15 }", 175, true},
		{"{ [i] : 0 <= i < 100 and i mod 3 = 1 }", 33, true},
		{"{ [t, i] : 32 t <= i <= 32 t + 31 and 0 <= i < 1000 }", 1000, true},
		{"{ [t] : exists i : 32 t <= i <= 32 t + 31 and 0 <= i < 1000 }", 32, true},
		{"{ [i, j, k] : 0 <= i < 30 and i <= j < 30 and j <= k < 30 }", 4960, true},
		{"{ [i, j, k] : 0 <= i < 2000 and 0 <= j < i and 0 <= k < j }", 2000. * 1999 * 1998 / 6, false},
		{"{ [i, j, k, l] : 0 <= i < 300 and 0 <= j < i and 0 <= k < j and 0 <= l < 7}", 7 * 300. * 299 * 298 / 6, false},
		{"{ [t, i, j] : 0 <= t < 500 and t < i < 1999 + t and t < j < 1999 + t }", 500. * 1998 * 1998, false},
	} {
		ctx := isl.NewContext()
		got, err := In(ctx.ReadSet(c.set))
		tolerance := 0.0
		if !c.exact {
			tolerance = 1e-3
		}
		if err != nil || math.Abs(got.Value-c.want) > tolerance*c.want || c.exact && !got.Exact {
			t.Errorf("%s: %+v, %v, want %v", c.set, got, err, c.want)
		}
		ctx.Close()
	}
}

func TestUnbounded(t *testing.T) {
	for _, text := range []string{"{ [i] : i >= 0 }", "{ [i, j] : 0 <= i < 3 }", "{ [i, j] : 0 <= i and i <= j < 2 i }"} {
		ctx := isl.NewContext()
		if got, err := In(ctx.ReadSet(text)); !errors.Is(err, ErrUnbounded) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		ctx.Close()
	}
}

// TestManyPieces counts unions that are not cut: triangles that overlap have at
// most the points of their hull, and those far apart the sum of theirs.
func TestManyPieces(t *testing.T) {
	for distance, tolerance := range map[int]float64{3: 0.5, 1000: 0} {
		var pieces []string
		for k := range 256 {
			i, j := k/16*distance, k%16*distance
			pieces = append(pieces, fmt.Sprintf("[i, j] : i >= %d and j >= %d and i + j < %d", i, j, i+j+31))
		}
		ctx := isl.NewContext()
		set := ctx.ReadSet("{ " + strings.Join(pieces, "; ") + " }")
		got, err := In(set)
		all, failure := set.Points(1 << 20)
		want := float64(len(all))
		if err != nil || failure != nil || got.Exact || math.Abs(got.Value-want) > tolerance*want {
			t.Errorf("%d apart: %+v, %v, want %v, %v", distance, got, err, want, failure)
		}
		ctx.Close()
	}
}

func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		set  string
		want string
	}{
		{"{ A[] }", "[] true"},
		{"{ [i] : 0 <= i < 11 }", "[5] true"},
		{"{ [i, j] : 0 <= i < 101 and i <= j < 101 }", "[50 75] true"},
		{"{ [t, i] : 32 t <= i <= 32 t + 31 and 0 <= i < 100 }", "[1 47] true"},
		{"{ [i] : i < 0 and i > 0 }", "[] false"},
	} {
		ctx := isl.NewContext()
		point, ok, err := Middle(ctx.ReadSet(c.set))
		if got := fmt.Sprint(point, ok); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.set, got, err, c.want)
		}
		ctx.Close()
	}
}

// TestRandom counts small random sets one point at a time.
func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 10))
	for range 300 {
		text := randomSet(random)
		ctx := isl.NewContext()
		set := ctx.ReadSet(text)
		all, err := set.Points(1 << 16)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got, err := In(set)
		if err != nil || !got.Exact || got.Value != float64(len(all)) {
			t.Errorf("%s has %d points, not %+v, %v", text, len(all), got, err)
		}
		ctx.Close()
	}
}

// randomSet is a union of parts of a small box, some behind a projection or
// with remainders.
func randomSet(random *rand.Rand) string {
	var pieces []string
	for range 1 + random.IntN(3) {
		conditions := []string{"-5 <= i <= 6 and -4 <= j <= 5 and 0 <= k <= 3"}
		for range random.IntN(4) {
			n := func() int { return random.IntN(7) - 3 }
			conditions = append(conditions, fmt.Sprintf("%d i + %d j + %d k + %d >= 0", n(), n(), n(), 2*n()))
		}
		switch random.IntN(4) {
		case 0:
			conditions = append(conditions, fmt.Sprintf("(i + %d j) mod %d = 1", random.IntN(3), 2+random.IntN(3)))
		case 1:
			conditions = append(conditions, "exists m : 0 <= m <= 5 and i <= 2 m <= j + 3 and 3 m >= k")
		}
		pieces = append(pieces, "[i, j, k] : "+strings.Join(conditions, " and "))
	}
	return "{ " + strings.Join(pieces, "; ") + " }"
}
