package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

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

// setRatioAxis makes an axis logarithmic, with names such as 2x.
func setRatioAxis(axis *plot.Axis, low, high float64) {
	axis.Min, axis.Max = low, high
	axis.Scale = plot.LogScale{}
	axis.Tick.Marker = plot.ConstantTicks(ratioTicks(low, high))
}

// ratioTicks are round numbers, equally far apart where the range is small, and 1, 2, 5, 10 …
// where it is not.
func ratioTicks(low, high float64) []plot.Tick {
	if high/low < 3 {
		return linearTicks(low, high)
	}
	steps := []float64{1, 2, 5}
	if high/low > 1e3 {
		steps = steps[:1]
	}
	var ticks []plot.Tick
	for exponent := math.Floor(math.Log10(low)); exponent <= math.Ceil(math.Log10(high)); exponent++ {
		for _, step := range steps {
			if value := step * math.Pow(10, exponent); low <= value && value <= high {
				ticks = append(ticks, plot.Tick{Value: value, Label: ratioLabel(value)})
			}
		}
	}
	return ticks
}

// linearTicks are at most seven multiples of a round number.
func linearTicks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, factor := range []float64{0.1, 0.2, 0.5, 1, 2, 5, 10} {
		if (high-low)/(step*factor) <= 7 {
			step *= factor
			break
		}
	}
	var ticks []plot.Tick
	for k := math.Ceil(low / step); k*step <= high; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: ratioLabel(k * step)})
	}
	return ticks
}

func ratioLabel(value float64) string {
	return strconv.FormatFloat(value, 'g', 4, 64) + "x"
}
