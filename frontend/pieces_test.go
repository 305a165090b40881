package frontend_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/internal/passed"
)

// grammar is what regions are made of: pieces that use, set and leave values in what declarations
// in front of the region declare, and the result of the function, which shows them.
type grammar struct {
	name, declarations, result string
	// In pieces HERE makes a label another one.
	pieces []string
	// front is what stands in front of all functions.
	front string
}

var grammars = []grammar{
	{"variables", "int l = 1, p = 2, *q = c + 3; unsigned char u = 250;", "return (l * 100 + p) * 1000 + u + (int) (q - c);", []string{
		"for (l = 0; l < n; l++) c[l] += 1;",
		"for (l = n; l > 0; l--) c[l] = l;",
		"for (l = 1; l <= n; l += 2) c[l] -= 1;",
		"for (; l < n; l++) c[l & 31] += 2;",
		"for (l = p; l-- > 0;) c[l & 31] += l;",
		"for (p = n; p; p--) c[p] += 1;",
		"while (l < n) { c[l & 31] = 1; l++; }",
		"while (l-- > 0) c[l & 31] += 3;",
		"while (--l >= p) c[l & 31] -= p;",
		"while (l++ < n) c[l & 31] += l;",
		"for (; ++l <= n;) { c[l & 31] ^= 5; p++; }",
		"for (l = n; --l > 0;) c[l] += c[l - 1];",
		"do { c[l & 31] += 1; l++; } while (l < n);",
		"for (p = 0, l = n - 1; p < l; p++, l--) c[p] ^= l;",
		"for (p = 0, l = 0; p < n; p++, l += 2) c[l] = p;",
		"for (p = 0; p < n; p++) l += 2;",
		"for (p = 0; p < n; p++) { c[l & 31] = p; l++; }",
		"for (p = 0; p < n; p++) { l = p; c[l] += p; }",
		"for (p = 0; p < n; p++) if (c[p] > 2) l = p;",
		"for (p = 0; p < n; p++) { if (p > l) break; c[p] = l; }",
		"for (p = l; p < n; p++) c[p & 31] += p;",
		"for (p = n - 1; p >= 0; p--) c[p] += l;",
		"for (p = 0; p < n; p++) for (l = p; l < n; l++) c[l] += p;",
		"for (p = 0; p < n; p++) { int k = p; for (l = 0; l < k; l++) c[l] += k; }",
		"for (int p = 0; p < n; p++) l = p;",
		"for (int l = 0; l < n; l++) { p = l; c[p] += 2; }",
		"{ int l = 2; c[l] = n; }",
		"for (l = 0; l * l < n; l++) c[l] += 3;",
		"for (p = 1; p < n; p *= 2) l = p;",
		"l = 3;", "l++;", "l += p;", "p = l + 1;", "p = n > l ? n : l;", "c[p & 31] = l;",
		"if (n > 2) l = 1;", "if (l > p) { c[1] = l; p = l; } else l = p;",
		"for (int i = 0; i < n; i++) c[i] = q[i];",
		"for (int i = 0; i < n; i++) *q++ = i;",
		"q = c + n;",
		"for (unsigned i = n; i-- > 0;) u += c[i];",
		"for (int i = 0; i < n; i++) { u += i; c[i + 8] = u; }",
		"for (int i = 0; i < n; i++) { if (c[i] > 3) continue; c[i] += u; u++; }",
		"for (int i = 0; i < n; i++) if (i > p) c[i] = p; else p--;",
		"for (int i = 0; i < n; i++) { p = l; l = c[i] & 31; c[i] = p; }",
	}, ""},
	{"scalars", "int l = 1, p = 2, k = 3; long s = 5; unsigned char u = 250; short h = 7; unsigned w = 9; " +
		"int *q = c + 3; ",
		"return (int) (s * 7 + u * 3 + h * 11 + w * 13 + l * 1000 + p * 100 + k) + (int) (q - c); ", []string{
			"for (int i = 0; i < n; i++) s += c[i];",
			"for (int i = 0; i < n; i++) u++;",
			"for (int i = 0; i < n; i++) { u += c[i]; c[i + 8] = u; }",
			"for (int i = 0; i < n; i++) { if (c[i] > 3) break; s += c[i]; }",
			"for (int i = 0; i < n; i++) { if (c[i] > 3) continue; c[i] += s; s++; }",
			"for (int i = 0; i < n; i++) if (i > k) c[i] = k; else k--;",
			"for (int i = n - 1; i >= 0; i--) { h -= i; c[i] = h; }",
			"for (unsigned i = 0; i < (unsigned) n; i++) w -= i;",
			"for (unsigned i = n; i-- > 0;) c[i] += w;",
			"for (int i = 0; i < n; i++) *q++ = i;",
			"for (int i = 0; i < n; i++) { *q = i; q++; }",
			"for (int i = 0; i < n; i++) c[i] = q[i];",
			"q = c + n;",
			"q--;",
			"k = n / 2;",
			"k = n % 3;",
			"s = k ? s : 4;",
			"for (int i = 0; i < n; i++) { int t = c[i]; c[i] = c[n - 1 - i]; c[n - 1 - i] = t; }",
			"for (int i = 0; i < n / 2; i++) { int t = c[i]; c[i] = c[n - 1 - i]; c[n - 1 - i] = t; }",
			"for (int i = 0; i < n; i++) { k = c[i] > k ? c[i] : k; }",
			"for (int i = 0; i < n; i++) if (c[i] > c[k & 7]) k = i;",
			"for (int i = 0; i < n; i++) { k = i; for (int j = 0; j < k; j++) c[j] += k; }",
			"for (int i = 1; i < n; i++) { int j = i; while (j > 0 && c[j - 1] > c[j]) { int t = c[j]; c[j] = c[j - 1]; c[j - 1] = t; j--; } }",
			"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { if (j > i) break; c[i * 8 + j] += 1; }",
			"for (int i = 0; i < n; i++) for (int j = i; j < n; j++) { if ((i + j) % 2) continue; c[j] += i; }",
			"for (int i = 0; i < n; i++) { if (i == 2) { s = i; } c[i] += s; }",
			"for (int i = 0; i < n; i++) { switch (i % 3) { case 0: c[i]++; break; case 1: s += i; default: k++; } }",
			"for (int i = 0; i < n; i++) c[c[i] & 31] += 1;",
			"for (int i = 0; i < n; i++) { h = i; if (h > 2) c[h] = s; }",
			"for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j <= i; j++) s += c[j]; c[i + 16] = s; }",
			"for (int i = 0; i < n; i++) { p = l; l = c[i]; c[i] = p; }",
			"for (int i = 0; i < n; i++) { c[i] = p; p = i; }",
			"if (k > 1) for (int i = 0; i < n; i++) c[i] += k;",
			"for (int i = 0; i < n && c[i] < 4; i++) s += i;",
			"for (int i = 0; i < n; i += 2) { c[i] += 1; if (i + 1 < n) c[i + 1] += 2; }",
			"for (int i = 0; i + 1 < n; i++) c[i] = c[i + 1] - c[i];",
			"for (int i = 0; i < n; i++) c[i] = (short) (c[i] * 30000) + (unsigned char) (c[i] - 9);",
			"for (int i = 0; i < n; i++) c[i] = (i ^ 1) + (i & 3) + (i >> 1) + (i | 4);",
			"for (int i = 0; i < n; i++) c[i ^ 1] += i;",
			"for (int i = 0; i < n; i++) s += i > 2 && c[i] ? c[i] : -c[n - 1 - i];",
			"for (int i = 0, j = 0; i < n; i++, j += 3) c[j & 31] += i;",
			"for (int i = 0; i < n; ++i) { const int b = i * 2 + 1; c[b] = b; }",
			"for (int i = 0; i < n; i++) c[n - i] = c[i] + 1;",
			"{ int t[8]; for (int i = 0; i < 8; i++) t[i] = c[i]; for (int i = 0; i < 8; i++) c[i] = t[7 - i]; }",
			"for (int i = 0; i < n; i++) { int t = i & 1 ? l : p; if (t > 2) l++; else p++; c[i] += t; }",
		}, ""},
	{"rows and structs", "int l = 1, p = 2; long s = 5; struct pt { int x, y[4]; struct { int u; } in; } a[16]; " +
		"int m[9][9], t[9]; int *row = m[1], **rows; int *rp[9]; const int K = 3; " +
		"static const int W[3] = {1, 2, 1}; for (int e = 0; e < 9; e++) { t[e] = e * 2; rp[e] = m[e]; " +
		"for (int g = 0; g < 9; g++) m[e][g] = e ^ g; } rows = rp; for (int e = 0; e < 16; e++) { a[e].x = e; " +
		"a[e].in.u = 3 * e; for (int g = 0; g < 4; g++) a[e].y[g] = e + g; } ",
		"for (int e = 0; e < 9; e++) for (int g = 0; g < 9; g++) s = s * 3 + m[e][g]; for (int e = 0; e < 16; " +
			"e++) { s = s * 5 + a[e].x + a[e].in.u * 7; for (int g = 0; g < 4; g++) s = s * 3 + a[e].y[g]; } " +
			"for (int e = 0; e < 9; e++) s += t[e] * e; return (int) s + l * 1000 + p * 100 + (int) (row - m[0]); ", []string{
			"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] += m[j][i];",
			"for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) m[i][j] = m[i - 1][j] + m[i][j - 1];",
			"for (int i = 0; i < n; i++) { int *r = m[i]; for (int j = 0; j < n; j++) r[j] += j; }",
			"for (int i = 0; i < n; i++) row[i] += m[2][i];",
			"for (int i = 0; i < n; i++) { row = m[i]; row[i]++; }",
			"for (int i = 0; i < n; i++) a[i].x += a[i + 1].in.u;",
			"for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) a[i].y[j] += a[i].x;",
			"for (int i = 0; i < n; i++) { struct pt *q = &a[i]; q->x++; q->in.u = q->y[1]; }",
			"for (int i = 0; i < n; i++) a[i] = a[i + 1];",
			"for (int i = 0; i < n; i++) { struct pt q = a[i]; q.x = i; a[n - i] = q; }",
			"for (int i = 0; i < n; i++) t[i] = W[i % 3] * c[i];",
			"for (int i = 0; i < n; i++) for (int k = 0; k < K; k++) t[i] += W[k] * c[i + k];",
			"for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) c[i * (i + 1) / 2 + j] += j;",
			"for (int i = 0; i < n; i++) c[t[i] & 15] = i;",
			"for (int i = 0; i < n; i++) c[i] = c[t[i] & 15];",
			"for (int e = 0; e < n * n; e++) c[e] = m[e / n][e % n];",
			"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i * n + j] = m[i][j] + l;",
			"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) (&m[0][0])[i * 9 + j] ^= 1;",
			"for (int i = 0; i < n; i++) { if (m[i][0] > 4) { l = i; continue; } m[i][1] = l; }",
			"for (int i = 0; i < n; i++) { int b = 0; for (int j = 0; j < n; j++) { if (m[i][j] == 3) { b = j; break; } } t[i] = b; }",
			"for (int i = n - 1; i > 0; i--) for (int j = i; j--;) m[i][j] -= m[i - 1][j];",
			"for (int i = 0; i < n; i++) rows[i][0] = i;",
			"for (int i = 0; i < n / 2; i++) { int *w = rows[i]; rows[i] = rows[n - 1 - i]; rows[n - 1 - i] = w; }",
			"for (int i = 0; i < n; i++) { s += t[i]; t[i] = s; }",
			"for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j < n; j++) s += m[i][j]; t[i] = s; }",
			"for (int i = 0; i < n; i++) { int q[4] = {0}; for (int j = 0; j < 4; j++) q[j] += a[i].y[j]; a[i].x = q[i & 3]; }",
			"for (int i = 0, j = n; i < j; i++, j--) { int w = t[i]; t[i] = t[j]; t[j] = w; }",
			"for (int i = 0; i < n; i++) { p = (p * 13 + 7) & 7; t[p] = i; }",
			"for (int i = 0; i < n; i++) switch (t[i] & 1) { case 0: m[i][i] = 0; break; default: m[i][0] = 1; }",
			"for (int i = 1; i < n; i *= 2) for (int j = 0; j + i < n; j++) t[j] += t[j + i];",
			"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (i < j) m[i][j] = 0; else if (i == j) m[i][j] = 1;",
			"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int d = i - j; if (d < 0) d = -d; m[i][j] += d; }",
			"for (int i = 0; i < n; i++) { int lo = i > 1 ? i - 1 : 0, hi = i + 1 < n ? i + 1 : n - 1; for (int j = lo; j <= hi; j++) t[i] += c[j]; }",
			"for (int i = 0; i < n; i++) t[(i + 1) % n] = c[i];",
			"l = n > 4 ? n - 4 : 0; for (int i = l; i < n; i++) t[i] = i;",
			"p = l; for (int i = 0; i < n; i++) c[i + p] = m[0][i];",
		}, ""},
	{"steps, jumps and functions", "int l = 1, p = 2, k = 3, step = n % 3; long s = 5; struct gr g = { 4, c + 64, { c + 128 } " +
		"}, *gp = &g; int q[64]; for (int e = 0; e < 64; e++) q[e] = (e * 7) % 11; struct px cs[8]; " +
		"struct im i8 = { 8, cs }, *ip = &i8; for (int e = 0; e < 8; e++) cs[e] = (struct px) { e, e * 3, 7 - e }; ",
		"for (int e = 0; e < 64; e++) s = s * 3 + q[e]; for (int e = 0; e < 8; e++) s = s * 5 + cs[e].r + 3 * cs[e].g " +
			"+ 7 * cs[e].b; s += i8.w + last.r + 3 * last.g; return (int) s + l * 1000 + p * 100 + k; ", []string{
			"for (int i = 0; i < n; i += k) q[i] += i;",
			"for (int i = 1; i <= n; i += step + 1) q[i] = i;",
			"for (l = 0; l < n; l += k) q[l] ^= 3;",
			"for (l = n; l > 0; l -= k) q[l] += l;",
			"for (int i = n; i >= k; i -= k) { q[i] += k; if (q[i] > 30) continue; p += i; }",
			"for (l = p; l < n * 2; l += step + 1) { q[l] += p; p = l & 3; }",
			"for (p = 0, l = n - 1; p < l; p++, l--) q[p] ^= q[l];",
			"for (p = 0, l = n; p < l; p += 2, l--) { q[p] += l; }",
			"for (p = n, l = 0; p > l + 1; p--, l += 2) q[l & 31] = p;",
			"k = p > l ? p - l : l - p + 1;",
			"for (int i = 0; i < n; i++) { if (q[i] > 5) goto outHERE; q[i] += 9; if (q[i] == 12) goto outHERE; k++; outHERE: q[i + 8]++; }",
			"for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { if (q[j] == i) goto foundHERE; } q[i] = -1; foundHERE: ; }",
			"for (int i = 0; i < n; i++) { againHERE: if (q[i] > 20) { q[i] -= 13; goto againHERE; } }",
			"for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) set(&g, j, i & 7, at(gp, j, i & 7) + i);",
			"for (int i = 0; i < n; i++) set(gp, i & 3, 2, i);",
			"for (int i = 0; i < n; i++) q[i] = at(&g, i & 3, 1) + atv(g, i - 2);",
			"for (int i = 0; i < n; i++) *place(gp, i) += i;",
			"for (int i = 0; i < n; i++) add(q[i]);",
			"for (int i = 0; i < n; i++) q[i] = next(i);",
			"for (int i = 0; i < n; i++) { int t = next(q[i]), u; u = t + 1; q[i] += u; }",
			"for (int i = 0; i < n; i++) q[i] = q[clampi(i - 1, 0, n - 1)] + q[clampi(i + 1, 0, n - 1)];",
			"for (int i = 0; i < n; i++) bump(gp, i * 3);",
			"for (int i = 0; i < n; i++) change(&q[i]);",
			"for (int i = 0; i < n; i++) change(&l);",
			"for (k = 1; k <= n; k++) q[k] += late(gp, k);",
			"for (int i = 0; i < n; i++) turn(ip, i & 7, i8.d[(i + p) & 7]);",
			"for (int i = 0; i < n; i++) turn(&i8, i, i8.d[i]);",
			"for (int i = 0; i < n; i++) { note(last, i); q[i] += last.g; }",
			"for (int i = 0; i < n; i++) { struct px c = i8.d[i & 7]; turn(ip, i, c); q[i] ^= c.r + i8.d[i].g; }",
			"for (int i = 0; i < n; i++) shift(*ip, i & 3, i8.d[i & 7]);",
			"for (int i = 0; i < n; i++) shift(i8, 2, i8.d[2 + (i & 1)]);",
			"for (int i = 0; i < n; i++) deepen(ip, i & 7, l);",
			"for (l = 2; l * l < n; l++) q[l] += l;",
			"for (int i = 0; i * i + i < n; i++) q[i] += 2;",
			"for (l = 0; l < 9 && q[l]; l++) p += q[l];",
			"for (int i = 0; i < n; i++) { int j = i; while (j > 0) { j /= 2; p += j; } q[i] = p; }",
			"for (int y = 0; y < n; y++) for (int x = 0; x < n; x++) q[(y * n + x) & 63] += g.v[y * (g.w / 2) + x];",
			"{ int plane = n * g.w; for (int z = 0; z < 2; z++) for (int i = 0; i < plane; i++) c[z * plane + i] += z; }",
			"{ int size = n * n; for (int i = 0; i < size; i++) c[i] += i; }",
			"for (int i = 0; i < n; i++) { switch (q[i] & 3) { case 0: p = i; case 1: q[i] += p; break; default: continue; } l = p; }",
		}, structFunctions},
}

// structFunctions go through pointers in structs, change variables of the file, or return early.
const structFunctions = `struct gr { int w; int *v; struct { int *z; } in; };
static int total;
static inline int at(struct gr *g, int x, int y) { return g->v[y * g->w + x]; }
static inline void set(struct gr *g, int x, int y, int v) { g->v[y * g->w + x] = v; }
static inline int atv(struct gr g, int x) { return x < 0 ? 0 : g.v[x]; }
static int *place(struct gr *g, int x) { return &g->in.z[x & 15]; }
static void add(int x) { total += x; }
static int next(int x) { total = total * 3 + x; return total & 7; }
static int clampi(int x, int lo, int hi) { if (x < lo) return lo; if (x > hi) return hi; return x; }
static void bump(struct gr *g, int x) { int t = g->v[x & 15]; t++; g->v[x & 15] = t + g->w; }
static void change(int *x) { *x = *x * 2 + 1; }
struct px { int r, g, b; };
struct im { int w; struct px *d; };
static struct px last;
static int late(struct gr *g, int x) { int k; if (x > 1) k = x + 1; if (x > 1 && k > 3) return g->v[k]; return g->v[0]; }
static void turn(struct im *m, int k, struct px c) { m->d[k & 7].r = c.g; m->d[k & 7].g = c.b; m->d[k & 7].b = c.r + m->w; }
static void note(struct px c, int x) { last.r = c.g + 1; last.g = (c.r & 255) + x; }
static void shift(struct im m, int k, struct px c) { m.w += c.r & 1; m.d[k].r = c.b + m.w; m.d[k].g = c.r & 255; }
static void deepen(struct im *m, int k, int x) { int *at = &x; *at += m->w; m->d[k].b = x; m->w = *at & 7; }
`

// surroundings are where regions stand.
var surroundings = []string{
	"%s",
	"for (int r = 0; r < 3; r++) {\n%s\n    c[0] += r; }",
	"for (int r = 0; r < 2; r++) {\n%s\n    c[l & 15] += p; l = r; }",
	"if (n != 3) {\n%s\n    }",
}

// Whoever reads what regions of a few pieces leave finds what the source leaves: random regions, many
// in one program. More are tried in long tests.
func TestPieces(t *testing.T) {
	programs, regions := 1, 16
	if kerneltest.Long() {
		programs, regions = 40, 30
	}
	for _, g := range grammars {
		for seed := range programs {
			t.Run(fmt.Sprint(g.name, seed), func(t *testing.T) {
				t.Parallel()
				g.try(t, int64(seed), regions)
			})
		}
	}
}

// try compares a program of the grammar, with so many regions, with what is made of it.
func (g grammar) try(t *testing.T, seed int64, count int) {
	folder := t.TempDir()
	path := filepath.Join(folder, "original.c")
	source := g.draw(rand.New(rand.NewSource(seed)), count)
	file, err := frontend.Parse(path, []byte(source), frontend.Options{Each: true})
	if err != nil {
		t.Fatal(err)
	}
	accepted, code := 0, *file
	for number := count - 1; number >= 0; number-- {
		if file.Regions[number].Refused == nil {
			code.Source = transformRegion(t, &code, number, partitionsOf(path)[0])
			accepted++
		}
	}
	if accepted < count/2 {
		t.Errorf("%d regions of %d are accepted: the test shows little", accepted, count)
	}
	name := passed.Name(passed.Compiler(), source, strings.ReplaceAll(string(code.Source), folder, ""))
	if frontend.Printed.Spares(name) {
		return
	}
	variant := filepath.Join(folder, "variant.c")
	for name, text := range map[string][]byte{path: []byte(source), variant: code.Source} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, got := run(t, build(t, path, "-O0", "-w").executable), run(t, build(t, variant, "-O1", "-w").executable)
	others := bytes.Split(got, []byte("\n"))
	for k, line := range bytes.Split(want, []byte("\n")) {
		if k >= len(others) || !bytes.Equal(line, others[k]) {
			t.Fatalf("function, n and values are %s, want %s, in\n%s", others[min(k, len(others)-1)], line, source)
		}
	}
	frontend.Printed.Note(name)
}

// draw is a program with so many functions, each with a region of one to three pieces, that prints
// what all of them leave.
func (g grammar) draw(random *rand.Rand, count int) string {
	var regions []string
	for k := range count {
		var pieces []string
		for place := range 1 + random.Intn(3) {
			piece := strings.ReplaceAll(g.pieces[random.Intn(len(g.pieces))], "HERE", fmt.Sprint(k, "_", place))
			pieces = append(pieces, "    "+piece)
		}
		region := "#pragma scop\n" + strings.Join(pieces, "\n") + "\n#pragma endscop"
		regions = append(regions, fmt.Sprintf(surroundings[random.Intn(len(surroundings))], region))
	}
	return g.front + programOf(g.declarations, regions, g.result)
}

// programOf is a program with a function for each region, between declarations and the result, that
// prints what all of them leave.
func programOf(declarations string, regions []string, result string) string {
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n")
	for k, region := range regions {
		fmt.Fprintf(&b, "static int f%d(int n, int *restrict c)\n{\n    %s\n    %s\n    %s\n}\n", k, declarations, region, result)
	}
	fmt.Fprintf(&b, "int main(void)\n{\n    int (*all[])(int, int *restrict) = {f0")
	for k := 1; k < len(regions); k++ {
		fmt.Fprintf(&b, ", f%d", k)
	}
	b.WriteString("};\n    for (int k = 0; k < (int) (sizeof all / sizeof all[0]); k++)\n        for (int n = 0; n < 8; n++) {\n            int c[256];\n            unsigned hash = 0;\n" +
		"            for (int i = 0; i < 256; i++) c[i] = i % 5;\n            int left = all[k](n, c);\n            for (int i = 0; i < 256; i++) hash = 31 * hash + c[i];\n" +
		"            printf(\"f%d %d: %d %u\\n\", k, n, left, hash);\n        }\n}\n")
	return b.String()
}
