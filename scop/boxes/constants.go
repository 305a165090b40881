package boxes

import (
	"strconv"

	"polytune/scop"
)

// MostConstants is the number of bytes of the memory for constants.
const MostConstants = 64 * 1024

// ConstantBytes is the size of an array whose extents are numbers; known is false for others. More
// than MostConstants is any number above that.
func ConstantBytes(array *scop.Array) (bytes int64, known bool) {
	bytes = int64(array.Size)
	for _, extent := range array.Extents {
		count, err := strconv.ParseInt(extent, 10, 32)
		if err != nil || count < 1 {
			return 0, false
		}
		bytes = min(bytes*count, 2*MostConstants)
	}
	return bytes, true
}
