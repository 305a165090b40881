/* Directives stand where regions are rewritten: pointers change places, walk, and are set by data. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 37, T = 5 };

struct particle { double v, x; };

static void sweep(int n, int steps, double *restrict u, double *restrict w, double *restrict out)
{
    double *t;
    double m;
    int s, k;
#pragma scop
    for (s = 0; s < steps; s++) {
        t = u;
        u = w;
        w = t;
#ifdef _OPENMP
#pragma omp parallel for private(m) \
    shared(u, w)
#else
#pragma GCC ivdep
#endif
        for (k = 0; k < n; k++) {
            m = u[k];
            if (k > 0)
                m += u[k - 1];
            w[k] = 0.5 * m;
        }
    }
#pragma endscop
    for (k = 0; k < n; k++)
        out[k] = w[k];
}

static void brighter(int w, int h, const unsigned char *restrict from, unsigned char *restrict to)
{
    const unsigned char *s;
    int x, y, chunk = 4;
#ifdef WIDE
#pragma omp parallel for schedule(dynamic, chunk)
#endif
#pragma omp parallel for private(s, x) schedule(static, chunk)
#pragma scop
    for (y = 0; y < h; y++) {
        s = from + y * w;
#pragma omp simd
        for (x = 0; x < w; x++)
            to[y * w + x] = *s++ + 16;
    }
#pragma endscop
}

static void forces(int n, const long *restrict first, struct particle *restrict all, double *restrict q, struct particle *restrict f)
{
    struct particle *a, *b;
    int i, j, k;
    _Pragma("omp parallel for private(a, b, i, j)")
#pragma scop
    for (k = 0; k < n; k++) {
        a = &all[first[k]];
        b = &f[first[k]];
        for (i = 0; i < 3; i++)
            for (j = 0; j < 3; j++)
                b[i].v += q[j] * (a[i].x - a[j].v);
    }
#pragma endscop
}

static void ends(int n, int m, double a[n][m], int *restrict found)
{
    int j;
#pragma scop
#pragma omp parallel for private(j)
    for (int i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            if (3 * j > i)
                break;
            a[i][j] += i;
        }
        found[i] = j;
        if (a[i][0] > 4) {
            int n = 3;
            a[i][0] -= n;
        }
    }
#pragma endscop
}

int main(void)
{
    double g[N][N] = {{1}};
    int found[N];
    double u[N], w[N], out[N], q[3] = {1, 2, 3};
    unsigned char from[N * T], to[N * T];
    struct particle all[3 * N], f[3 * N];
    long first[N];
    for (int k = 0; k < N; k++)
        u[k] = k % 7, w[k] = k % 5, first[k] = 3 * (k * 11 % N);
    for (int k = 0; k < N * T; k++)
        from[k] = k * 13;
    for (int k = 0; k < 3 * N; k++)
        all[k].v = k % 4, all[k].x = k % 9, f[k].v = f[k].x = 0;
    sweep(N, T, u, w, out);
    brighter(N, T, from, to);
    forces(N, first, all, q, f);
    ends(N, N, g, found);
    for (int k = 0; k < N; k++)
        printf("%.17g %d %g %g %g %d\n", out[k], to[k * T], f[k].v, f[3 * k].v, g[k][k / 4], found[k]);
    return 0;
}
