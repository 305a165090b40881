/* Rows of arrays that go on behind the subscript which counts them. */
#include <stdio.h>
struct cell { double f[5]; int age; };
struct lattice { int w, h; struct cell *restrict cells; };
static struct cell storage[8 * 9];
static double at[8 * 9][3];

static void relax(struct lattice *restrict l, double (*restrict v)[3])
{
#pragma scop
    for (int y = 0; y < l->h; y++)
        for (int x = 0; x < l->w; x++) {
            int k = y * l->w + x;
            double s = 0;
            for (int q = 0; q < 5; q++)
                s += l->cells[k].f[q];
            v[k][0] = s;
            v[y * l->w + x][1] = l->cells[k].f[1] - l->cells[k].f[3];
        }
    for (int y = 1; y < l->h; y++)
        for (int x = 0; x < l->w; x++)
            for (int q = 0; q < 5; q++)
                l->cells[y * l->w + x].f[q] += l->cells[(y - 1) * l->w + x].f[4 - q] * v[y * l->w + l->w - 1 - x][0];
#pragma endscop
}

static void count(int n, int m, double (*restrict v)[3])
{
#pragma scop
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            v[k++][2] += i - j;
#pragma endscop
}

struct sample { float w, x; };
static struct sample from[8 * 9], to[8 * 9];

/* One array of whole elements, and of their members. */
static void warp(int h, int w, struct sample *restrict out, const struct sample *restrict in)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            out[y * w + x] = in[y * w + w - 1 - x];
            out[y * w + x].x = in[y * w + x].w + in[y * w + x].x;
        }
#pragma endscop
}

int main(void)
{
    double s = 0;
    for (int w = 0; w < 9; w++) {
        struct lattice l = { w, 8, storage };
        for (int i = 0; i < 8 * 9; i++) {
            storage[i].age = i;
            for (int q = 0; q < 5; q++)
                storage[i].f[q] = (i * 7 + q * 3 + w) % 17;
        }
        relax(&l, at);
        count(8, w, at);
        for (int i = 0; i < 8 * 9; i++)
            from[i].w = i % 7, from[i].x = i % 5;
        warp(8, w, to, from);
        for (int i = 0; i < 8 * 9; i++)
            s = 0.99 * s + to[i].x - to[i].w;
        for (int i = 0; i < 8 * 9; i++)
            for (int q = 0; q < 5; q++)
                s = 0.99 * s + storage[i].f[q] + at[i][q % 3];
        printf("%d %.17g\n", w, s);
    }
    return 0;
}
