package codegen

// dividedByStream are conditions in parts: those that do not depend on the stream, and the least
// and the greatest of its iterations in which the others hold. Quotients of the stream are taken
// apart for that: one counts as a variable of its own, so that its condition seems not to depend on
// the stream, outside of which it would name a variable that is not there. ok is false where other
// parts that are not affine depend on the stream.
func (b *registerBlock) dividedByStream(conditions []linear) (outside, lowers, uppers []linear, ok bool) {
	if b.stream == nil {
		return conditions, nil, nil, true
	}
	stream := b.stream.Var
	alone := map[string]interval{stream: {}}
	for _, c := range conditions {
		if c = b.tile.withoutFloors(c, alone); c == nil {
			return nil, nil, nil, false
		}
		switch rest := c.plus(linear{stream: 1}, -c[stream]); {
		case c[stream] == 0:
			outside = append(outside, c)
		case c[stream] > 0:
			lowers = append(lowers, b.atLeast(rest, c[stream]))
		default:
			uppers = append(uppers, b.atMost(rest, c[stream]))
		}
	}
	return outside, lowers, uppers, true
}

// atLeast is the least value of the stream with which rest and its multiple by a positive
// factor are not negative, and atMost the largest one by a negative factor.
func (b *registerBlock) atLeast(rest linear, factor int64) linear {
	return b.tile.ratio(linear{}.plus(rest, -1).plus(linear{"": 1}, factor-1), factor)
}

func (b *registerBlock) atMost(rest linear, factor int64) linear { return b.tile.ratio(rest, -factor) }
