/* Fails at the stage result. */
#include <math.h>
struct grid {
    int n;
    double *w, count;
};
#define RADIUS 3
#define STEP 2
static int most(int p, int q) {
    int r = p;
    if (q > r)
        r = q;
    return r;
}
static inline int imin(int x, int y) { return x < y ? x : y; }
#define REPEAT(i, from, to) for (int i = from; i <= to - 1; ++i)
static void kernel(int n, int m, double a[2 * n + 2 * m + 17], float *restrict b, unsigned char c[2 * n + 2 * m + 17], struct grid *g, double out[16])
{
    int k;
    int y;
    int l = n;
#pragma scop
    for (unsigned long l = 0; l < (m + 2); l += 2) {
        int first = 0, hi = n;
        while (first < hi) {
            int mid = (first + hi) / 2;
            if (c[mid] < 50)
                first = mid + 1;
            else
                hi = mid;
        }
        c[l] = (c[l] + ((int)l * 2)) & 63;
    }
    y = (long)STEP;
    b[y * m + 0] += a[l + 4];
    for (l = 0; l < n; l++) {
    }
#pragma endscop
}
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
static void run(int n, int m) {
    double *a = malloc(((2 * n + 2 * m + 17) + 1) * sizeof(double));
    float *b = malloc(((n + m + 4) * m + 1 + 1) * sizeof(float));
    unsigned char *c = malloc(((2 * n + 2 * m + 17) + 1) * sizeof(unsigned char));
    double *w = malloc(((n + m + 9) + 1) * sizeof(double));
    double out[16] = {0};
    struct grid g = {n, w, 0};
    kernel(n, m, (void *)a, (void *)b, (void *)c, &g, out);
    SHOW("c", c, (2 * n + 2 * m + 17));
}
int main(void) {
    run(1, 2);
}
