package randomc

import (
	"fmt"
	"strings"
)

// sizes are n and m of the calls.
var sizes = [][2]int{{0, 0}, {1, 2}, {2, 1}, {5, 4}, {17, 19}, {largest, 33}}

// support is what main needs: data that are the same each time, and a digest of what is left. All
// that is no number counts as one value.
const support = `
int printf(const char *, ...);
void *malloc(unsigned long);
static unsigned state;
static int drawn(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16 & 127;
}
static unsigned long long hash;
static void mix(double x)
{
    union { double x; unsigned long long bits; } u = {x};
    hash = (hash ^ (x != x ? 1 : u.bits)) * 1099511628211u;
}
#define FILL(x, count) for (long e = 0; e < (long)(count); e++) (x)[e] = drawn() * SCALE
#define SHOW(name, x, count) do { hash = 14695981039346656037u; for (long e = 0; e < (long)(count); e++) mix((x)[e]); printf("n=%d m=%d %s %llx\n", n, m, name, hash); } while (0)
`

// main calls the function at all sizes and prints what is left.
func (g *generator) main() *Node {
	var make, fill, show, pass []*Node
	arguments := []string{"n", "m"}
	for _, a := range g.arrays {
		count := a.count()
		scale := "1"
		if a.isFloating() {
			scale = "0.0625"
		}
		view := a.name
		if a.form == formGlobal && a.dimensions > 1 {
			view = fmt.Sprintf("(&%s[0][0])", a.name)
		}
		switch a.form {
		case formGlobal:
		case formStructs:
			make = append(make, lineOf("struct cell *%s = malloc(((%s) + 1) * sizeof(struct cell));", a.name, count))
			fill = append(fill, lineOf("for (long e = 0; e < %s; e++)\n    %[2]s[e].v = drawn() * 0.25, %[2]s[e].k = drawn();", count, a.name))
			show = append(show, lineOf("hash = 1;\nfor (long e = 0; e < %s; e++)\n    mix(%[2]s[e].v), mix(%[2]s[e].k);\nprintf(\"n=%%d m=%%d %[2]s %%llx\\n\", n, m, hash);", count, a.name))
			arguments = append(arguments, a.name)
			continue
		default:
			make = append(make, lineOf("%[1]s *%[2]s = malloc((%[3]s + 1) * sizeof(%[1]s));", a.element, a.name, count))
			switch {
			case a.form == formMember, a.form == formMemberFlat:
			case a.form == formRows:
				make = append(make, lineOf("%[1]s **%[2]s_rows = malloc((%[3]s + 1) * sizeof(%[1]s *));", a.element, a.name, a.extents[0]),
					lineOf("for (long e = 0; e < %[3]s; e++)\n    %[2]s_rows[e] = %[2]s + e * (%[4]s);", a.element, a.name, a.extents[0], a.extents[1]))
				arguments = append(arguments, a.name+"_rows")
			default:
				arguments = append(arguments, "(void *)"+a.name)
			}
		}
		fill = append(fill, lineOf("#undef SCALE\n#define SCALE %s", scale), lineOf("FILL(%s, %s);", view, count))
		show = append(show, lineOf("SHOW(%q, %s, %s);", a.name, view, count))
	}
	if g.has("struct grid") {
		pass = append(pass, lineOf("struct grid g = {n, m, w, 0, u};"))
		arguments = append(arguments, "&g")
	}
	if g.swaps {
		make = append(make, lineOf("double now[n + 1], next[n + 1];"))
		fill = append(fill, lineOf("#undef SCALE\n#define SCALE 0.5"), lineOf("FILL(now, n + 1);"), lineOf("FILL(next, n + 1);"))
		show = append(show, lineOf("SHOW(\"now\", now, n + 1);"), lineOf("SHOW(\"next\", next, n + 1);"))
		arguments = append(arguments, "now", "next")
	}
	arguments = append(arguments, "out")
	body := append(append(make, lineOf("double out[16] = {0};"), lineOf("state = %d;", 1+g.IntN(1000))), fill...)
	body = append(append(body, pass...), lineOf("%s(%s);", Function, strings.Join(arguments, ", ")))
	body = append(append(body, show...), lineOf("SHOW(\"out\", out, 16);"))
	var calls []*Node
	for _, s := range sizes {
		calls = append(calls, lineOf("run(%d, %d);", s[0], s[1]))
	}
	return group(lineOf("%s", strings.TrimSpace(support)), block("static void run(int n, int m)", body), block("int main(void)", append(calls, lineOf("return 0;"))))
}
