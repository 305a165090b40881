package frontend

import (
	"strings"
	"testing"
)

// TestVariables lists what a function uses besides its arguments.
func TestVariables(t *testing.T) {
	const source = `#include <stdio.h>
enum color { RED, GREEN };
typedef struct { float mass; struct { double x, y; } at[2]; short tag[2][3]; } body;
struct chain { double value; struct chain *next; };
int n = 40, shift;
static double a[40], untouched[3], spare[40];
double *open, (*rows)[7], *placed = spare;
const double weights[3] = {1, 2, 3};
const float *inputs;
static body bodies[9];
enum color colors[4];
struct chain links[2];
union { int i; float f; } mixed;
static long outside;
FILE *stream;
static double lookups, table[4];
static double lookup(int i) { static int calls; lookups += calls++; return table[i & 3]; }

double use(const int index[restrict n], enum color c, body *p)
{
    static double kept[5], scratch = 1.0;
    double local[5] = { lookup(0) };
    outside++;
    if (stream) fprintf(stream, "%g\n", scratch);
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] += shift * weights[i % 3] * kept[i % 5] + c + placed[i];
        open[i] = a[i] + rows[i][0] + inputs[i] + bodies[0].mass + colors[i];
        links[0].value = index[i] + mixed.i + local[i % 5] + p[i].mass;
    }
#pragma endscop
    return scratch;
}
`
	const want = `function double use(const int index[n], unsigned int c, body p[] float .mass double .at[0].x double .at[0].y double .at[1].x double .at[1].y short .tag[2][3])
variable int n size initialized
variable int shift
variable double a[40]
variable double open[] pointer
variable double rows[][7] pointer
variable double placed[] pointer initialized
variable const float inputs[] pointer
variable body bodies[9] float .mass double .at[0].x double .at[0].y double .at[1].x double .at[1].y short .tag[2][3]
variable unsigned int colors[4]
variable struct chain links[2] double .value (its member next is a pointer)
variable union mixed (its member i is a bit field, or shares its memory in a union)
variable long outside unused
variable double lookups unused
variable double table[4] unused
variable double kept[5] inside
variable double scratch inside unused initialized
`
	file, err := Parse("use.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	function := file.Regions[0].Program.Function
	var got strings.Builder
	got.WriteString("function " + function.Result + " " + strings.TrimSuffix(function.String(), " returns double") + "\n")
	for _, v := range function.Variables {
		if v.Inside && !strings.HasSuffix(source[:v.Behind], "scratch = 1.0;") {
			t.Errorf("%s: %q is in front of its offset", v.Name, source[:v.Behind])
		}
		v.Behind = 0
		got.WriteString("variable " + v.String() + "\n")
	}
	if strings.ReplaceAll(got.String(), "inside 0", "inside") != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
