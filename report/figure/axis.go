package figure

import (
	"fmt"
	"math"
	"strconv"
)

// axis maps values to a side of a figure.
type axis struct {
	name string
	// low and high are the values at its ends, from and to where these are.
	low, high, from, to float64
	// isLog says that equal ratios are equally long.
	isLog bool
	ticks []tick
	// isBare says that it has only names, hasGrid that there are lines across the figure at its ticks, and
	// hasOne that the line at 1, where nothing is gained, stands out.
	isBare, hasGrid, hasOne bool
}

// tick is a value that is named on an axis.
type tick struct {
	value float64
	label string
}

// at is where a value is.
func (a *axis) at(value float64) float64 {
	share := (value - a.low) / (a.high - a.low)
	if a.isLog {
		share = math.Log(value/a.low) / math.Log(a.high/a.low)
	}
	return a.from + share*(a.to-a.from)
}

// namesAxis has a place for each of some names, and needs no line.
func namesAxis(name string, names []string) axis {
	a := axis{name: name, low: -0.5, high: float64(len(names)) - 0.5, isBare: true}
	for i, text := range names {
		a.ticks = append(a.ticks, tick{float64(i), text})
	}
	return a
}

// ratioAxis is logarithmic, for ratios above zero, with names such as 2x.
func ratioAxis(name string, ratios []float64) axis {
	low, high := ratioRange(ratios)
	return axis{name: name, low: low, high: high, isLog: true, hasGrid: true, hasOne: true, ticks: ratioTicks(low, high, ratioLabel)}
}

// amountAxis is logarithmic, for amounts above zero, of which there is one at least.
func amountAxis(name string, amounts []float64) axis {
	low, high := amounts[0], amounts[0]
	for _, amount := range amounts {
		low, high = min(low, amount), max(high, amount)
	}
	room := math.Max(math.Pow(high/low, 0.08), 1.05)
	a := axis{name: name, low: low / room, high: high * room, isLog: true, hasGrid: true}
	a.ticks = ratioTicks(a.low, a.high, amountLabel)
	return a
}

// countAxis is for places in an order, from 0 to total.
func countAxis(name string, total int) axis {
	high := float64(max(total, 1))
	return axis{name: name, high: high, ticks: linearTicks(0, high, 1, func(v float64) string { return fmt.Sprint(int(v)) })}
}

// ratioRange is the range of an axis of ratios above zero that shows all of them, and
// 1, with some room.
func ratioRange(ratios []float64) (low, high float64) {
	low, high = 1, 1
	for _, r := range ratios {
		if usable(r) {
			low, high = min(low, r), max(high, r)
		}
	}
	room := math.Max(math.Pow(high/low, 0.05), 1.05)
	return low / room, high * room
}

// usable says whether a ratio can stand on a logarithmic axis.
func usable(r float64) bool { return r > 1e-12 && r < 1e12 }

// ratioTicks are round numbers, equally far apart where the range is small, and 1, 2, 5, 10 …
// where it is not.
func ratioTicks(low, high float64, label func(float64) string) []tick {
	if high/low < 3 {
		return linearTicks(low, high, 0, label)
	}
	steps := []float64{1, 2, 5}
	if high/low > 1e3 {
		steps = steps[:1]
	}
	var ticks []tick
	for exponent := math.Floor(math.Log10(low)); exponent <= math.Ceil(math.Log10(high)); exponent++ {
		for _, step := range steps {
			if value := step * math.Pow(10, exponent); low <= value && value <= high {
				ticks = append(ticks, tick{value, label(value)})
			}
		}
	}
	return ticks
}

// linearTicks are at most eight multiples of a "nice number", which is 1, 2 or 5 times a power of ten
// (P. Heckbert, Nice Numbers for Graph Labels, Graphics Gems, 1990), and no less than least.
func linearTicks(low, high, least float64, label func(float64) string) []tick {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, factor := range []float64{0.1, 0.2, 0.5, 1, 2, 5, 10} {
		if (high-low)/(step*factor) <= 7 {
			step *= factor
			break
		}
	}
	step = max(step, least)
	var ticks []tick
	for k := math.Ceil(low / step); k*step <= high; k++ {
		ticks = append(ticks, tick{k * step, label(k * step)})
	}
	return ticks
}

func amountLabel(value float64) string { return strconv.FormatFloat(value, 'g', 4, 64) }

func ratioLabel(value float64) string { return amountLabel(value) + "x" }
