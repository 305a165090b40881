/* Fails at the stage result. */
static void kernel(int n, int m, double a[0], double **b, short c[0], float *restrict x, long q[0][2], double out[16])
{
    int l = m;
    int p = 3;
#pragma scop
    for (l = 0; l < n; l++) {
    }
    for (p = 0, l = n - 1; p < l; p++, l--) {
        c[q[0][0]] ^= 1;
    }
#pragma endscop
    out[0] = l;
}
int printf1;
void *malloc1;
static unsigned state;
static int drawn(void)
{
    state = state;
    return state >> 16;
}
static unsigned long long hash;
static void mix(double x)
{
    union { double x; unsigned long long bits; } u = {x};
    hash = (hash ^ (x != x ? 1 : u.bits));
}
#define FILL(x, count) for (long e = 0; e < (long)(count); e++) (x)[e] = drawn()
#define SHOW(name, x, count) do { hash = 14695981039346656037u; for (long e = 0; e < (long)(count); e++) mix((x)[e]); printf("n=%d m=%d %s %llx\n", n, m, name, hash); } while (0)
static void run(int n, int m) {
    double *a = 1;
    double **b_rows = 1;
    short *c = 1;
    float *x = 1;
    long *q = malloc(1 * sizeof(long));
    double out[16] = {0};
    kernel(n, m, (void *)a, b_rows, (void *)c, (void *)x, (void *)q, out);
    SHOW("out", out, 16);
}
int main(void) {
    run(0, 0);
}
