/* Pointers to rows, elements and planes that keep one value. */
#include <stdio.h>
#define N 29
#define AT(p, k) ((p)[k] + (p)[(k) + 1])
#define UP_AT(k) up[k]
struct atom { double x, f[2]; };
static double in[N * N], out[N * N], cube[5][N][N], total;
static struct atom atoms[N][4];
static const int next[4] = {1, 3, 0, 2};

static int clamp(int v, int most) { return v < 0 ? 0 : v > most ? most : v; }
static double sum3(const double *row) { return row[0] + row[1] + row[2]; }

static void stencil(int h, int w, const double *restrict a, double *restrict b)
{
#pragma scop
    for (int y = 1; y < h - 1; y++) {
        const double *up = a + (y - 1) * w, *mid = &a[y * w],
                     *down = a + clamp(y + 1, h - 1) * w; /* the last of three */
        double *restrict to = b + y * w;
        for (int x = 1; x < w - 1; x++)
            to[x] = UP_AT(x) + down[x] + AT(mid, x - 1) - 4 * *(mid + x);
        const double *at = mid + 1;
        if (in[y] > 2)
            to[0] = at[w - 3] + up[0];
    }
#pragma endscop
}

static void others(int n)
{
#pragma scop
    for (int z = 1; z < 5; z++) {
        double (*plane)[N] = cube[z], (*below)[N] = cube[z - 1];
        for (int i = 0; i < n; i++) {
            double *row = plane[i];
            for (int j = 0; j < n; j++)
                row[j] += below[i][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            struct atom *a = &atoms[i][k];
            const struct atom *b = &atoms[n - 1 - i][next[k]];
            double d = a->x - b->x;
            a->f[0] += d;
            a->f[1] -= (*a).x;
            total += d * d;
        }
    for (int i = 0; i < n; i++) {
        double *row = cube[0][i];
        total += sum3(row);
        for (int i = 0; i < n; i++)
            cube[1][i][0] += 1;
    }
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N * N; i++) {
        in[i] = i % 17;
        cube[i % 5][i / N][i % N] = i % 13;
        atoms[i % N][i % 4].x = i % 11;
    }
    stencil(N, N, in, out);
    others(N);
    double s = total;
    for (int i = 0; i < N * N; i++)
        s = 0.5 * s + out[i] + cube[4][i / N][i % N] + atoms[i % N][i % 4].f[i % 2];
    printf("%.17g %.17g\n", s, total);
    return 0;
}
