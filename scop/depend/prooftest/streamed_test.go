package prooftest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop/mark"
)

// streaming is a recipe for jacobi-2d with overlapped tiles that are streamed.
const streaming = `classes {S0 S1}
band c0 S0[t, i, j] -> [2t, i, j]; S1[t, i, j] -> [2t + 1, i, j]
overlapped c0.1 c0.2 c0.3 by 3 16 16 slopes 1 1 rest 1 streaming c0.2
block c0p0.2o c0p0.3o
thread c0p0.3 by 8
barrier c0p0.1
block c0p1.2 c0p1.3
`

// Streamed tiles are legal where each step finds by its place what the step before has computed;
// each fault is found and named.
func TestStreamed(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-2d")
	for _, test := range []struct{ name, from, to, want string }{
		{"as it is", "", "", ""},
		{"five steps", "by 3 16", "by 5 16", ""},
		{"steeper", "slopes 1 1", "slopes 2 3/2", ""},
		{"along the other dimension", "streaming c0.2\nblock c0p0.2o c0p0.3o\nthread c0p0.3", "streaming c0.3\nblock c0p0.2o c0p0.3o\nthread c0p0.2", ""},
		{"no halo", "slopes 1 1", "slopes 1 0", "a tile computes instances of S1 and not those of S0 that they read"},
		{"no planes behind", "slopes 1 1", "slopes 0 1", "illegal schedule"},
		{"stores into what it loads", "by 3 16", "by 4 16", "one stores elements of A that one of the same launch may not have loaded yet"},
		{"no barrier of the steps", "barrier c0p0.1\n", "", "there is no barrier between them"},
		{"a copy", "barrier c0p0.1\n", "barrier c0p0.1\ncopy A at c0p0.3o to shared\n", "they are streamed, and have no copies, as that of A"},
		{"both statements at once", "[2t + 1, i, j]", "[2t, i, j]", "illegal schedule"},
	} {
		if longAlone[test.name] && !kerneltest.Long() {
			continue
		}
		text := strings.Replace(streaming, test.from, test.to, 1)
		checkMarked(t, g, test.name, text, test.want, func(o mark.Overlapped) mark.Overlapped { return o })
	}
}

// streamingInPlace is a recipe for fdtd-2d, whose arrays have one grid each, and two statements of
// one step.
const streamingInPlace = `classes {S0 S1 S2 S3}
band c0 S0[t, j] -> [2t, 0, j]; S1[t, i, j] -> [2t, i, j]; S2[t, i, j] -> [2t, i, j]; S3[t, i, j] -> [2t + 1, i, j]
overlapped c0.1 c0.2 c0.3 by 4 16 16 slopes 1 1 rest 1 streaming c0.2 keeping 2 swapping ex ey hz
block c0p0.2o c0p0.3o
thread c0p0.3 by 8
barrier c0p0.1
block c0p1.2 c0p1.3
`

// Streamed tiles of several arrays, with one grid each, are legal where values of several steps
// before are found, and each launch stores them all once to second grids.
func TestStreamedInPlace(t *testing.T) {
	g := kerneltest.Graph(t, "hex/fdtd-2d")
	for _, test := range []struct{ name, from, to, want string }{
		{"as it is", "", "", ""},
		{"an odd number of steps: without instances of S3, which has none where N is 1, some tiles are left out", "by 4 16", "by 3 16", "illegal schedule"},
		{"along the other dimension", "streaming c0.2 keeping 2 swapping ex ey hz\nblock c0p0.2o c0p0.3o\nthread c0p0.3", "streaming c0.3 keeping 2 swapping ex ey hz\nblock c0p0.2o c0p0.3o\nthread c0p0.2", ""},
		{"one grid", "swapping ex ey hz", "swapping ex ey", "one stores elements of hz that one of the same launch may not have loaded yet"},
		{"the last step alone", "keeping 2 ", "", "no tile stores what S1 writes and S1 reads behind the launch"},
		{"three steps", "keeping 2 ", "keeping 3 ", "writes later into the same elements of hz"},
		{"no planes behind", "slopes 1 1", "slopes 0 1", "illegal schedule"},
		{"no barrier of the steps", "barrier c0p0.1\n", "", "there is no barrier between them"},
	} {
		if test.name != "as it is" && test.name != "three steps" && !kerneltest.Long() {
			continue
		}
		text := strings.Replace(streamingInPlace, test.from, test.to, 1)
		checkMarked(t, g, test.name, text, test.want, func(o mark.Overlapped) mark.Overlapped { return o })
	}
	if kerneltest.Long() {
		checkMarked(t, g, "one field", streamingInPlace, "run in one step, at one place, and write one field", func(o mark.Overlapped) mark.Overlapped {
			own := *o.Streaming
			own.Fields = [][]string{{"ex", "ey", "hz"}}
			o.Streaming = &own
			return o
		})
	}
}

// What the mark says of places is proven, too.
func TestStreamedMark(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-2d")
	for _, test := range []struct {
		name, want string
		change     func(*mark.Streaming)
	}{
		{"planes not behind each other", "and S0 reads A of one step before that is 1 ahead", func(s *mark.Streaming) { s.Lag = 0 }},
		{"an access less", "at no constant distance", func(s *mark.Streaming) { s.Reads = s.Reads[1:] }},
		{"another distance", "one step before at another distance", func(s *mark.Streaming) {
			s.Reads = slices.Clone(s.Reads)
			s.Reads[0].Distance = []int64{0, 2}
		}},
	} {
		checkMarked(t, g, test.name, streaming, test.want, func(o mark.Overlapped) mark.Overlapped {
			own := *o.Streaming
			test.change(&own)
			o.Streaming = &own
			return o
		})
	}
}

// Statements that are no assignments of what the step before has are refused.
func TestStreamedStatements(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"a step", "a[(t + 1) % 2][i][j] = a[t % 2][i - 1][j] + a[t % 2][i][j + 1];", ""},
		{"a product as a distance", "a[(t + 1) % 2][i][j] = a[t % 2][i][j] + a[t % 2][i][2];", "at no constant distance"},
		{"two arrays in one step", "{ a[(t + 1) % 2][i][j] = a[t % 2][i - 1][j]; b[(t + 1) % 2][i][j] = b[t % 2][i][j - 1]; }", ""},
		{"one array twice in one step", "{ b[(t + 1) % 2][i][j] = b[t % 2][i - 1][j]; a[0][i][j] = b[t % 2][i][j]; a[1][i][j] = b[t % 2][i][j - 1]; }", "run in one step, at one place"},
		{"what it adds to", "{ b[(t + 1) % 2][i][j] = b[t % 2][i - 1][j]; b[(t + 1) % 2][i][j] += w[i]; }", "stores elements of b that one of the same launch may not have loaded yet"},
		{"two values", "a[0][i][j] = b[(t + 1) % 2][i][j] = b[t % 2][i - 1][j];", "is no assignment of one value"},
		{"what is two steps old", "a[(t + 2) % 4][i][j] = a[(t + 1) % 4][i - 1][j] + a[t % 4][i][j];", "no tile stores what S0 writes and S0 reads behind the launch"},
		{"a part that shrinks", "if (i >= t + 2) a[(t + 1) % 2][i][j] = a[t % 2][i - 2][j];", "of more than one step before"},
	} {
		source := "void f(int T, int n, double a[4][n][n], double b[2][n][n], double w[n])\n{\n#pragma scop\nfor (int t = 0; t < T; t++) for (int i = 2; i < n - 2; i++) for (int j = 2; j < n - 2; j++) " + test.body + "\n#pragma endscop\n}\n"
		file, err := kerneltest.Parse("streamed.c", source, "")
		if err != nil {
			t.Fatal(err)
		}
		g := kerneltest.Analyze(t, file.Regions[0].Program)
		rows := []string{"[t, i, j]", "[t, i, j]", "[t, i, j]"}
		if len(g.Model.Statements) == 2 && strings.Contains(test.body, "w[i]") {
			rows = []string{"[2t, i, j]", "[2t + 1, i, j]"}
		}
		var names, bands []string
		for k := range g.Model.Statements {
			names, bands = append(names, fmt.Sprint("S", k)), append(bands, fmt.Sprintf("S%d[t, i, j] -> %s", k, rows[k]))
		}
		text := "classes {" + strings.Join(names, " ") + "}\nband c0 " + strings.Join(bands, "; ") + "\n"
		text += "overlapped c0.1 c0.2 c0.3 by 5 8 8 slopes 2 1 rest 3 streaming c0.2\nblock c0p0.2o c0p0.3o\nthread c0p0.3 by 8\nbarrier c0p0.1\nblock c0p1.2 c0p1.3\n"
		checkMarked(t, g, test.name, text, test.want, func(o mark.Overlapped) mark.Overlapped { return o })
	}
}
