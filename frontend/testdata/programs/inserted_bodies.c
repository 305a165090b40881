/* Functions whose bodies take the place of calls: their arguments hold pointers, or they change
 * variables of the file. */
#include <stdio.h>

struct grid { int w, h; double *v; };
struct pair { struct grid in; struct grid *out; float scale; };
typedef struct { int n; double **rows; } table;
struct colour { double r, g, b; };
struct image { int w; struct colour *at; };

static double last, total[4];
static int counted, seen[4];
static struct colour mean;

static inline double at(const struct grid *g, int x, int y) { return g->v[y * g->w + x]; }
static inline void set(struct grid *g, int x, int y, double v) { g->v[y * g->w + x] = v; }
static double inside(const struct grid *g, int x, int y)
{
    if (x < 0)
        x = 0;
    else if (x >= g->w)
        x = g->w - 1;
    if (y < 0 || y >= g->h)
        return 0.5;
    const double *row = g->v + y * g->w;
    return row[x];
}
static double of(struct grid g, int k) { return g.v[k]; }
static void add(struct grid g, int k, double v) { g.v[k] += v; }
static int halved(struct grid g, int k) { return g.v[k] / 2; }
static float narrow(struct grid g, float f) { return f * g.v[0]; }
static double *cell(struct grid *g, int x, int y) { return &g->v[y * g->w + x]; }
static void twice(struct grid *g, int k, double v)
{
    g->v[k] = v;
    g->v[k + 1] = v;
}
static void bounded(struct grid *g, int x, int y, double v)
{
    if (x < 0 || y < 0)
        return;
    if (x >= g->w) {
        return;
    }
    double old = at(g, x, y), k = 0.5;
    g->v[y * g->w + x] = k * (old + v);
}
static void row_sum(struct grid *g, int y, double *to)
{
    double s = 0;
    for (int x = 0; x < g->w; x++)
        s += at(g, x, y);
    *to = s;
}
static void down(struct grid *g, int k, int times)
{
    while (times-- > 0) {
        g->v[k] *= 0.5;
        k++;
    }
}
static int next(int k)
{
    return k + seen[k & 3];
}
static void count(int k)
{
    counted += k;
    seen[k & 3]++;
}
static void scaled(struct pair p, int k, int i) { p.out->v[k] = p.scale * p.in.v[k] + i; }
static double entry(const table *t, int i, int j) { return t->rows[i][j]; }

static double dot(struct grid a, const struct grid *b, int y)
{
    double s = 0;
    for (int x = 0; x < a.w; x++)
        s += a.v[y * a.w + x] * b->v[y * b->w + x];
    return s;
}
static double exchanged(struct grid *g, int k, double v)
{
    g->v[k] = k;
    return v;
}
static _Bool odd(struct grid g, signed char k)
{
    unsigned char low = k + 255;
    return g.v[low & 1] > 1 ? low & 2 : 0.25;
}
static int draw(void)
{
    counted = (counted * 13 + 7) % 101;
    return counted;
}
static int first_above(struct grid g, double limit)
{
    if (g.w < 1)
        return -1;
    int k = 0;
    while (k < g.w && g.v[k] <= limit)
        k++;
    return k;
}

/* The colour that they get may lie where they write. */
static void turn(struct image *m, int k, struct colour c)
{
    m->at[k].r = c.g;
    m->at[k].g = c.b;
    m->at[k].b = c.r;
}
static void fade(struct image *m, double by) { m->at[0].r = m->at[0].r * by; }
static void fade_and_keep(struct image *m, int k, struct colour c)
{
    fade(m, 0.5);
    m->at[k].b = c.r;
}
static void fold(struct image *m, struct colour c)
{
    mean.r = mean.r + m->at[0].b;
    mean.g = c.r + m->w;
}
static void moved(struct image *m, int k, double x)
{
    double *at = &x;
    *at += m->w;
    m->at[k].g = x;
}

static void smooth(struct grid *restrict in, struct grid *restrict out)
{
#pragma scop assume-no-alias
    for (int y = 1; y < in->h - 1; y++)
        for (int x = 1; x < in->w - 1; x++)
            set(out, x, y, 0.25 * (at(in, x - 1, y) + at(in, x + 1, y) + at(in, x, y - 1) + at(in, x, y + 1)));
#pragma endscop
}

static void borders(struct grid in, struct grid out)
{
#pragma scop assume-no-alias
    for (int y = 0; y < in.h; y++)
        for (int x = 0; x < in.w; x++)
            bounded(&out, x, y, inside(&in, x - 1, y - 1) - inside(&in, x + 1, y + 1));
    for (int k = 0; k < in.w; k++) {
        add(out, k, of(in, k) / 3);
        out.v[k] += halved(in, k) + narrow(in, 0.1);
    }
#pragma endscop
}

/* What an argument is when the function is called counts. */
static void order(struct grid *g, int n)
{
    int x = 3;
#pragma scop assume-no-alias
    for (int k = 0; k < n - 1; k++)
        twice(g, k, g->v[k] + 1);
    for (int k = 0; k < n - 1; k++) {
        double v = k * 0.25, k_1 = 2;
        twice(g, k, v + k_1 + x);
    }
    for (int k = 0; k < n - 4; k++)
        down(g, k, k & 3);
    *cell(g, 1, 1) += *cell(g, 0, 1);
#pragma endscop
}

static void sums(struct grid *g, struct grid *o, double *s)
{
#pragma scop assume-no-alias
    for (int y = 0; y < g->h; y++) {
        row_sum(g, y, &s[y]);
        double d = dot(*o, g, y);
        int drawn = draw(), k = 2, unused;
        unused = drawn;
        s[y] += d + unused;
        s[y] += draw();
        k += first_above(*g, s[y] / 40);
        s[y] -= dot(*g, g, y);
        s[y] += k;
        s[y] *= draw();
        s[y] += exchanged(g, y, g->v[y] + s[y]);
        s[y] += odd(*g, y + 300) + odd(*g, y);
    }
#pragma endscop
}

static void counts(int n, int *x)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        count(k);
        x[k] = next(k);
        last = x[k];
        total[k & 3] += last;
    }
#pragma endscop
}

static void pairs(struct pair p, table *t, int n)
{
#pragma scop assume-no-alias
    for (int i = 0; i < n; i++)
        scaled(p, n - 1 - i, i);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            t->rows[i][j] = entry(t, i, j) + entry(t, i, (j + 1) % n);
#pragma endscop
}

static void colours(struct image *m, double *x)
{
    double t = 0.5;
#pragma scop assume-no-alias
    for (int k = 0; k < m->w; k++)
        turn(m, k, m->at[k]);
    for (int k = 0; k < m->w; k++)
        fade_and_keep(m, k, m->at[0]);
    for (int i = 0; i < m->w; i++)
        fold(m, mean);
    for (int k = 0; k < m->w; k++) {
        t += x[k];
        moved(m, k, t);
        x[k] -= t;
    }
#pragma endscop
}

int main(void)
{
    static double a[80], b[80], rows[9][9], s[9];
    double *lines[9];
    int x[40];
    struct colour at[9];
    for (int w = 3; w < 10; w += 3) {
        struct grid in = {w, w - 1, a}, out = {w, w - 1, b};
        struct pair p = {in, &out, 0.3f};
        table t = {w, lines};
        struct image m = {w, at};
        for (int i = 0; i < 80; i++)
            a[i] = i % 7 * 1.5, b[i] = i % 5;
        for (int i = 0; i < 9; i++) {
            lines[i] = rows[i];
            at[i] = (struct colour) {i, 3 - i * 0.25, i * i};
            for (int j = 0; j < 9; j++)
                rows[i][j] = i - j * 0.5;
        }
        smooth(&in, &out);
        borders(in, out);
        order(&out, w);
        sums(&out, &in, s);
        counts(4 * w, x);
        pairs(p, &t, w);
        colours(&m, b);
        for (int i = 0; i < 9; i++)
            printf("%g %g %g ", at[i].r, at[i].g, at[i].b);
        for (int i = 0; i < 80; i++)
            printf("%g %g ", a[i], b[i]);
        for (int i = 0; i < 81; i++)
            printf("%g ", rows[i / 9][i % 9]);
        for (int i = 0; i < 4 * w; i++)
            printf("%d ", x[i]);
        printf("%g %g %g %d %d %g %g %g %g\n", s[0], s[1], last, counted, seen[1], total[0], total[3], mean.r, mean.g);
    }
    return 0;
}
