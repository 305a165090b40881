package randomc

import "slices"

// helper is a function, macro, constant or type of the file, in front of the function with the
// region.
type helper struct {
	key, name string
	node      *Node
}

// helper is the one of a key, which is put in the file when it is first asked for.
func (g *generator) helper(key string) helper {
	at := slices.IndexFunc(g.helpers, func(h helper) bool { return h.key == key })
	if at >= 0 {
		return g.helpers[at]
	}
	h := helper{key: key}
	h.name, h.node = g.newHelper(key)
	g.helpers = append(g.helpers, h)
	return h
}

// newHelper draws one of the ways in which people write it.
func (g *generator) newHelper(key string) (name string, node *Node) {
	type way struct {
		name string
		node *Node
	}
	ways := map[string][]way{
		"constant": {
			{"STEP", lineOf("#define STEP 2")}, {"STRIDE", lineOf("enum { STRIDE = 2 };")}, {"STEP", lineOf("static const int STEP = 2;")},
		},
		"three": {
			{"RADIUS", lineOf("#define RADIUS 3")}, {"RADIUS", lineOf("enum { RADIUS = 3 };")}, {"RADIUS", lineOf("static const int RADIUS = 3;")},
		},
		"INDEX": {
			{"INDEX", lineOf("#define INDEX(i, j, length) ((i) * (length) + (j))")},
			{"IDX", lineOf("static inline int IDX(int i, int j, int m) { return i * m + j; }")},
			{"at_of", block("static int at_of(int row, int column, int length)", []*Node{lineOf("int i = row * length;"), lineOf("i += column;"), lineOf("return i;")})},
		},
		"first_of": {
			{"first_of", block("static int first_of(int count, const int *z, int least)", []*Node{lineOf("for (int k = 0; k < count; k++)\n    if (z[k] > least)\n        return k;"), lineOf("return count;")})},
			{"first_of", block("static int first_of(int count, const int *z, int least)", []*Node{lineOf("if (count <= 0)\n    return 0;"), lineOf("int k = 0;"), lineOf("while (k < count && z[k] <= least)\n    k++;"), lineOf("return k;")})},
		},
		"scale": {
			{"scale", block("static void scale(int count, double *z, double by)", []*Node{lineOf("if (by == 1)\n    return;"), lineOf("for (int k = 0; k < count; k++) {\n    if (z[k] < 0)\n        continue;\n    z[k] *= by;\n}")})},
			{"scale", block("static void scale(int count, double *z, double by)", []*Node{lineOf("for (int k = 0; k < count; k++) {\n    if (z[k] > 1000)\n        return;\n    z[k] *= by;\n}")})},
		},
		"MIN": {
			{"MIN", lineOf("#define MIN(x, y) ((x) < (y) ? (x) : (y))")},
			{"imin", lineOf("static inline int imin(int x, int y) { return x < y ? x : y; }")},
			{"least", block("static int least(int p, int q)", []*Node{lineOf("if (p < q)\n    return p;"), lineOf("return q;")})},
		},
		"MAX": {
			{"MAX", lineOf("#define MAX(x, y) ((x) > (y) ? (x) : (y))")},
			{"imax", lineOf("static inline int imax(int x, int y) { return x > y ? x : y; }")},
			{"most", block("static int most(int p, int q)", []*Node{lineOf("int r = p;"), lineOf("if (q > r)\n    r = q;"), lineOf("return r;")})},
		},
		"clamp": {
			{"clamp", lineOf("static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }")},
			{"bound", block("static int bound(int v, int low, int high)", []*Node{lineOf("if (v < low)\n    return low;"), lineOf("if (v > high)\n    v = high;"), lineOf("return v;")})},
			{"CLAMP", lineOf("#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))")},
		},
		"SQUARE": {
			{"SQUARE", lineOf("#define SQUARE(z) ((z) * (z))")},
			{"square", lineOf("static double square(double z) { return z * z; }")},
		},
		"weigh": {
			{"weigh", block("static double weigh(double z, int k)", []*Node{lineOf("if (k < 0)\n    return -z;"), lineOf("return k & 1 ? z : z * 0.5;")})},
			{"weigh", block("static double weigh(double z, int k)", []*Node{lineOf("double r = 0;"), lineOf("for (int t = 0; t < (k & 3); t++)\n    r += z;"), lineOf("return r;")})},
			{"weigh", block("static double weigh(double z, int k)", []*Node{lineOf("while (k > 1 && z > 1) {\n    z /= 2;\n    k /= 2;\n}"), lineOf("return z + k;")})},
		},
		"bump": {
			{"bump", lineOf("static void bump(double *z, double by) { *z += by; }")},
			{"bump", block("static void bump(double *z, double by)", []*Node{lineOf("if (by < 0)\n    return;"), lineOf("*z += by;"), lineOf("if (*z > 100)\n    *z = 0;")})},
		},
		"advance": {
			{"advance", block("static void advance(int *k, int end)", []*Node{lineOf("if (++*k >= end)\n    *k = 0;")})},
			{"advance", block("static void advance(int *k, int end)", []*Node{lineOf("int next = *k + 1;"), lineOf("*k = next < end ? next : 0;")})},
		},
		"fill":        {{"fill", block("static void fill(int count, double *z, double with)", []*Node{lineOf("for (int k = 0; k < count; k++)\n    z[k] = with;")})}},
		"total":       {{"total", block("static double total(int count, const double *z)", []*Node{lineOf("double sum = 0;"), lineOf("const double *end = z + count;"), lineOf("while (z < end)\n    sum += *z++;"), lineOf("return sum;")})}, {"total", block("static double total(int count, const double *z)", []*Node{lineOf("double sum = 0;"), lineOf("while (count--)\n    sum += z[count];"), lineOf("return sum;")})}},
		"SWAP":        {{"SWAP", lineOf("#define SWAP(type, x, y) do { type kept = x; x = y; y = kept; } while (0)")}},
		"FOR":         {{"FOR", lineOf("#define FOR(i, from, to) for (int i = (from); i < (to); i++)")}, {"REPEAT", lineOf("#define REPEAT(i, from, to) for (int i = from; i <= to - 1; ++i)")}},
		"ADD":         {{"ADD", lineOf("#define ADD(to, what) do { to += what; } while (0)")}, {"ADD", lineOf("#define ADD(to, what) (to) += (what)")}},
		"struct grid": {{"struct grid", block("struct grid", []*Node{lineOf("int n, cols;"), lineOf("double *w, count, *u;")})}},
		"struct cell": {{"struct cell", lineOf("struct cell { double v; int k; };")}, {"struct cell", lineOf("struct cell { int k; double v; char pad[4]; };")}},
	}
	if key == "struct grid" || key == "struct cell" {
		for _, w := range ways[key] {
			if w.node.Tail != "" {
				w.node.Tail = "};"
			}
		}
	}
	w := among(g, ways[key]...)
	return w.name, w.node
}
