/* Values of integer variables in steps: constants with names, updates, branches, counters, ends of loops, functions, break and continue. */
#include <stdio.h>
#define M 40
static const int W = 3;
static int shift = 5;
static double a[4 * M + 8], b[4 * M + 8], g[M][M], h[M][M];

static inline int wrap(int i, int n) { if (i < 0) return i + n; if (i >= n) i -= n; return i; }
static int clamp(int i, int lo, int hi) { int r = i; if (r < lo) r = lo; if (r > hi) { r = hi; } return r; }
static inline long at(int i, int j, int n) { long p = i; p *= n; return p + j; }

static void borders(int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int l = j - 1, r = j + 1;
            if (l < 0) l = m - 1;
            if (r >= m) r = 0;
            h[i][j] = g[i][l] + g[i][r] + g[clamp(i + 3, 0, n - 1)][wrap(j - 1, m)];
        }
#pragma endscop
}

static void flat(int n, int m, const double *restrict u, double *restrict v)
{
    int up = m, right = 1, last = n - 1;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int c = i * m + j;
            int e = j == m - 1 ? c - m + 1 : c + 1, w = j == 0 ? c + m - 1 : c - 1;
            int s = c;
            if (i > 0) s -= up;
            v[c] = u[e] + u[w] + u[s] + u[i == last ? c : c + up] * right;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            v[at(i, j, m)] += u[at(i, j, m)];
#pragma endscop
}

static void packed(int n)
{
#pragma scop
    int k = 0;
    for (int i = 0; i < n; i++) {
        b[i] = a[k] + a[k + 1];
        k += 4;
        b[i] += a[k];
    }
    a[k] = 1;
    int p = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) {
            if (j < n) b[p] += g[i][j];
            p++;
        }
    b[p] = 0;
#pragma endscop
}

static int loops(int n)
{
    int i, j = 0, k, l;
#pragma scop
    for (i = n - 1; i; i--)
        a[i] = a[i] + b[i - 1];
    for (k = 0; k + 3 < n; k += 4) {
        a[k] *= 2; a[k + 1] *= 3; a[k + 2] *= 4; a[k + 3] *= 5;
    }
    while (k < n) {
        a[k] *= 7;
        k++;
    }
    for (i = 0, l = n - 1; i < n; i++, l--) b[l] += a[i];
    for (; j < n / 2; j++) a[j] = b[j];
    for (; j < n; ++j) a[j] = -b[j];
    for (i = 0; i < n; i++) {
        int t = i;
        while (t < n) { g[i][t] *= 2; t += 2; }
        for (; t > i; t--) if (t < n) g[i][t] += 1;
    }
    for (j = 0; j < n && j <= 5 * ((j + 2) / 5); j++) a[j] += 5;
#pragma endscop
    return k;
}

static void exits(int n)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j) continue;
            if (j > i + 2) {
                if (j > i + 5) break;
                continue;
            }
            g[i][j] += 1;
            if (i < 3) { if (j == 2) continue; }
            g[i][j] *= 3;
        }
    for (i = n - 1; i >= 0; i -= 2) {
        a[i] += 1;
        if (i % 5 == 3) break;
        b[i] -= a[i];
    }
    for (i = 3; i <= n - 2; i += 3) a[i] -= 1;
    if (i < n) a[i] = 100;
#pragma endscop
}

static int counted(int n)
{
    int at = 1, i;
    const int two = 2;
#pragma scop
    for (i = 0; i < n; i++, at += two)
        a[at] = a[at - 1] + 1;
    for (i = 0; i < n; i += W)
        for (int j = i; j < i + W && j < n; j++)
            b[j] = a[j] + shift;
    for (int k = 0; k * W < n; k++)
        b[k * W] += a[k % shift < n ? k % shift : 0] + a[k / W];
#pragma endscop
    return at + i;
}

static void halves(unsigned n, long stride)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        unsigned k = i;
        k += 1;
        if (k == n) k = 0;
        a[k] = a[i] + 1;
    }
    for (long i = 0, q = 0; i < stride; i++) {
        int k = i;
        if (k > 10) k -= 10; else if (k > 5) k = 5;
        q = k, k = 2 * k;
        b[k] += q + k;
    }
#pragma endscop
}

static int packing(int n, int m, const double *restrict u, double *restrict v)
{
    int k = 0, last = 0, lo = 0, hi = n - 1;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) { v[k] = u[i * m + j] + 1; k++; }
    int p = -1, q = n;
    for (int i = 0; i < n; i++) { a[++p] += b[i + 2]; b[--q] += i; }
    for (int i = 0, r = 1; i < n; ) {
        for (int j = 0; j < 3; j++)
            a[r++] *= 0.5;
        i++;
    }
    while (lo < hi) {
        g[lo][hi] += g[hi][lo];
        lo++, hi--;
    }
    for (last = 0; last < n; last++)
        b[last] -= 1, a[last] += 2;
    for (int i = 0; i < n; i++)
        if (a[i] > 3) h[0][0] += 1;
#pragma endscop
    return k;
}

static void print(int n, int extra)
{
    double s = 0;
    for (int i = 0; i < 4 * M + 8; i++) s = s * 0.75 + a[i] - 0.5 * b[i];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) s = s * 0.75 + g[i][j] - 0.5 * h[i][j];
    printf("%d %d %.17g\n", n, extra, s);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 4, 7, 8, 13, 37};
    for (int t = 0; t < 8; t++) {
        int n = sizes[t];
        for (int i = 0; i < 4 * M + 8; i++) a[i] = i % 7 - 2.5, b[i] = i % 5 * 0.25;
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++) g[i][j] = (i * 3 + j) % 11 * 0.5, h[i][j] = 0;
        borders(n, n + 1), print(n, 1);
        flat(n, n > 3 ? n - 2 : 1, &g[0][0], &h[0][0]), print(n, 2);
        packed(n), print(n, 3);
        int left = loops(n);
        print(n, left);
        exits(n), print(n, 4);
        left = counted(n);
        print(n, left);
        halves(n, n + 2), print(n, 5);
        left = packing(n, n > 2 ? n - 2 : 0, &g[0][0], &h[0][0]);
        print(n, left);
    }
    return 0;
}
