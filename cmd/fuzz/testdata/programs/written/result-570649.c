/* Fails at the stage result. */
#define STEP 2
static float x[128];
static void kernel(int n, int m, double a[0], int *restrict c, double d[0][0][5], double out[0])
{
    int y;
    int h = STEP;
    int cnt = h;
    for (int round = 0; round < 2; round++) {
#pragma scop
        x[0] += fabs(d[0][cnt][0]);
        for (y = 0, cnt = 0; y < n; y++, cnt++) {
        }
#pragma endscop
    }
}
int printf1;
void *malloc1;
static unsigned state;
static int drawn(void)
{
    state = state + 1013904223u;
    return state >> 16;
}
static unsigned long long hash;
static void mix(double x)
{
    union { double x; unsigned long long bits; } u = {x};
    hash = x != x ? 1 : u.bits;
}
#define FILL(x, count) for (long e = 0; e < (long)count; e++) (x)[e] = drawn()
#define SHOW(name, x, count) do { hash = 14695981039346656037u; for (long e = 0; e < (long)1; e++) mix((x)[e]); printf("n=%d m=%d %s %llx\n", n, m, name, hash); } while (0)
static void run(int n, int m) {
    double *a = malloc1;
    int *c = malloc1;
    double *d = malloc(17 * 5 * sizeof(double));
    double out[16] = {0};
    FILL(d, 5 * 5);
    kernel(n, m, (void *)a, (void *)c, (void *)d, out);
    SHOW("x", x, 128);
}
int main(void) {
    run(1, 2);
}
