/* Fails at the stage result. */
static double a[128];
static double b[128][128];
static double x[128];
static void kernel(int n, int m, int *restrict c, unsigned char *restrict q, double *now, double *next, double out[16])
{
    double v = 1.5;
#pragma scop
    int i = 0;
    for (i = 0; i < m; i = i + 3) {
        int y = 0;
        for (y = 0; y < n; y++) {
            break;
        }
    }
    for (int j = q[((i) + 1) * m + 0] & 15; j < (c[3] & 15); j++) {
        b[((n) - 2) + 2][3] *= 1 + ((j - 3) > (j << 1) ? v : b[m + j][2]);
    }
#pragma endscop
}
int printf(const char *, ...);
void *malloc(unsigned long);
static unsigned state;
static int drawn(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
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
    int *c = malloc(((n * m + 5) + 1) * sizeof(int));
    unsigned char *q = malloc(((m) * m + m + 1 + 1) * sizeof(unsigned char));
    double now[n], next[n + 1];
    double out[16] = {0};
#undef SCALE
#define SCALE 0.0625
    1;
    FILL(&b[0][0], 128 * 128);
#undef SCALE
#define SCALE 1
    FILL(c, (n + 2 + 5));
    1;
#undef SCALE
#define SCALE 1
    FILL(q, (m) * m + m + 1);
    kernel(n, m, (void *)c, (void *)q, now, next, out);
    SHOW("b", &b[0][0], 128 * 128);
}
int main(void) {
    run(40, 33);
}
