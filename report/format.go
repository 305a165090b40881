package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"polytune/store"
)

// Partition draws a class vector: its classes in order, each with its
// statements, as in "{S0} {S1 S2} {S3}".
func Partition(classes []int) string {
	order := slices.Clone(classes)
	slices.Sort(order)
	var groups []string
	for _, class := range slices.Compact(order) {
		var names []string
		for statement, c := range classes {
			if c == class {
				names = append(names, "S"+strconv.Itoa(statement))
			}
		}
		groups = append(groups, "{"+strings.Join(names, " ")+"}")
	}
	return strings.Join(groups, " ")
}

// VariantPartition draws the class vector of a variant. The original is just
// "as written".
func VariantPartition(variant string, classes []int) string {
	if store.IsOriginal(variant) {
		return "as written"
	}
	return Partition(classes)
}

// Seconds writes a duration in seconds with three digits and a unit.
func Seconds(s float64) string {
	for _, unit := range []struct {
		factor float64
		name   string
	}{{1, "s"}, {1e3, "ms"}, {1e6, "µs"}} {
		if s*unit.factor >= 0.9995 {
			return threeDigits(s*unit.factor) + " " + unit.name
		}
	}
	return threeDigits(s*1e9) + " ns"
}

// threeDigits writes a number with three significant digits, but never in
// exponential form.
func threeDigits(x float64) string {
	if x == 0 {
		return "0"
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	if err != nil {
		rounded = x
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(rounded))+1e-12))
	return strconv.FormatFloat(x, 'f', min(max(digits, 0), 9), 64)
}

// Speedup writes an estimated ratio with its interval, "4.21x [4.13, 4.30]",
// or "about 4.21x" when too few rounds for an interval are behind it.
func Speedup(e store.Estimate, certainty store.Certainty) string {
	if certainty < store.Bounded {
		return "about " + Times(e.Median) + "x"
	}
	return fmt.Sprintf("%sx [%s, %s]", Times(e.Median), Times(e.Low), Times(e.High))
}

// Times writes a ratio of times with two decimals, and one under a tenth with two
// significant digits: "0.00" would not tell a tenth of the speed from a thousandth.
func Times(ratio float64) string {
	decimals := 2
	if ratio > 0 && ratio < 0.1 {
		decimals = min(1-int(math.Floor(math.Log10(ratio))), 9)
	}
	return strconv.FormatFloat(ratio, 'f', decimals, 64)
}

// Duration writes a time that someone waits: "45s", "3m20s", "2h05m".
func Duration(d time.Duration) string {
	d = d.Round(time.Second)
	hours, minutes, seconds := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case hours > 0:
		return fmt.Sprintf("%dh%02dm", hours, minutes)
	case minutes > 0:
		return fmt.Sprintf("%dm%02ds", minutes, seconds)
	}
	return fmt.Sprintf("%ds", seconds)
}

// columns measures texts in columns of a terminal, whatever the locale: letters of Chinese take two, accents none.
var columns = &runewidth.Condition{}

// cut shortens a text to so many columns.
func cut(text string, width int) string {
	if width <= 0 {
		return text
	}
	return columns.Truncate(text, width, "…")
}

// pad fills a text with blanks up to so many columns of a terminal; to the left when
// right is true.
func pad(text string, width int, right bool) string {
	blanks := strings.Repeat(" ", max(width-columns.StringWidth(text), 0))
	if right {
		return blanks + text
	}
	return text + blanks
}

// Bytes prints a size in the largest unit that leaves at least one, with three
// digits, and four where there are 1000 of it or more.
func Bytes(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	value, unit := float64(n), 0
	for value >= 1024 && unit < len(units)-1 {
		value /= 1024
		unit++
	}
	if value >= 100 {
		return fmt.Sprintf("%.0f %s", value, units[unit])
	}
	return fmt.Sprintf("%.3g %s", value, units[unit])
}
