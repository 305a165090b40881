package depend

import "polytune/isl"

// longestExample is the longest text of a set in a message, in bytes.
const longestExample = 250

// example is the text of pairs of instances, or of one of them, with values of the parameters,
// where that would be long.
func example(pairs *isl.Map) string {
	text := pairs.Coalesce().String()
	if len(text) <= longestExample {
		return text
	}
	return pairs.Sample().String()
}

// someInstance is one of some instances, with values of the parameters, "" where there is none.
func someInstance(instances *isl.UnionSet) string {
	for _, set := range instances.Sets() {
		if empty, err := set.IsEmpty(); err == nil && !empty {
			return set.Sample().String()
		}
	}
	return ""
}
