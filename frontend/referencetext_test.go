package frontend

import "testing"

func TestReferenceAt(t *testing.T) {
	const text = "a[i][j + b[k]] = c;\n  p->row[ i ].x += S(i, j) * s; /* } */\nlast[1\n  + i] = q.y; broken[(2;\n"
	f := File{Original: []byte(text)}
	for _, c := range []struct {
		line, column int
		want         string
	}{
		{1, 1, "a[i][j + b[k]]"}, {1, 10, "b[k]"}, {1, 18, "c"}, {2, 3, "p->row[ i ].x"}, {2, 20, "S(i, j)"}, {2, 30, "s"},
		{3, 1, "last[1 + i]"}, {4, 10, "q.y"}, {4, 15, "broken"}, {1, 2, ""}, {9, 1, ""}, {1, 99, ""}, {0, 1, ""}, {3, 6, ""},
	} {
		if got := f.ReferenceAt(c.line, c.column); got != c.want {
			t.Errorf("%d:%d: %q, want %q", c.line, c.column, got, c.want)
		}
	}
}
