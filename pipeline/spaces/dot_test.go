package spaces

import (
	"testing"
)

// Labels show the source as it is, quotation marks at the end included.
func TestLabelsOfDrawings(t *testing.T) {
	const source = "a = f(\"x\\n\"\n\t\"y\""
	const want = `a = f(\"x\\n\"\l` + "\t" + `\"y\"\l`
	if got := leftAligned(source); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
