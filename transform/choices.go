package transform

import "polytune/space/variant"

// choices are the values of an axis with what they mean, in this order. The first is the default.
type choices[Meaning any] []choice[Meaning]

type choice[Meaning any] struct {
	name    string
	meaning Meaning
}

// axis is the axis with these values, which says something under a condition alone.
func (c choices[Meaning]) axis(name, about string, when variant.Condition) variant.Axis {
	names := make([]string, len(c))
	for k, choice := range c {
		names[k] = choice.name
	}
	return variant.Axis{Name: name, About: about, Values: variant.Words(names...), Default: variant.Word(names[0]), When: when}
}

// of is what a value of the axis means; the default's meaning where a setting has no such axis.
func (c choices[Meaning]) of(value variant.Value) Meaning {
	for _, choice := range c {
		if value == variant.Word(choice.name) {
			return choice.meaning
		}
	}
	return c[0].meaning
}
