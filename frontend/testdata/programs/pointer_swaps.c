/* Pointers that change places in loops, and at the ends of regions. */
#include <stdio.h>
enum { N = 41 };
#define SWAP(a, b) do { double *swapped = a; a = b; b = swapped; } while (0)

static void show(const char *name, int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = 0.5 * sum + x[i] * (i + 1);
    printf("%s %d %.17g\n", name, n, sum);
}

/* The pointers are read behind the loop, for odd and even numbers of sweeps. */
static double *sweeps(int n, int steps, double *u, double *v)
{
    double *w;
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) /* inside */
            v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3; // a mean
        v[0] = u[0];
        v[n - 1] = u[n - 1];
        w = u;
        u = v;
        v = w;
    }
#pragma endscop
    show("other", n, v);
    return u;
}

/* First the exchange, then the sweep; nobody reads the pointers behind it. */
static void first(int rows, int cols, int *dst, int *src, int wall[rows][cols])
{
    int *temp;
#pragma scop
    for (int t = 0; t < rows - 1; t++) {
        temp = src;
        src = dst;
        dst = temp;
        for (int n = 0; n < cols; n++) {
            int least = src[n];
            if (n > 0)
                least = least <= src[n - 1] ? least : src[n - 1];
            if (n < cols - 1)
                least = least <= src[n + 1] ? least : src[n + 1];
            dst[n] = wall[t + 1][n] + least;
        }
    }
#pragma endscop
}

/* Three levels change places, downwards. */
static double *levels(int n, int from, int to, double *a, double *b, double *c)
{
    double *w;
#pragma scop
    for (int t = from; t >= to; t--) {
        for (int i = 0; i < n; i++)
            c[i] = 0.5 * b[i] + 0.25 * a[i] + t;
        w = a;
        a = b, b = c;
        c = w;
    }
#pragma endscop
    return 0;
}

/* Twice in an iteration, and other code behind the loop. */
static double twice(int n, int first, int last, double (*u)[3], double (*v)[3])
{
    double sum = 0;
#pragma scop
    for (int t = first; t <= last; ++t) {
        for (int i = 0; i < n; i++)
            v[i][1] += u[i][t % 3] * 2;
        { double (*w)[3] = v; v = u; u = w; }
        for (int i = 0; i < n; i++)
            v[i][2] += u[i][1] - 1;
    }
    for (int i = 0; i < n; i++)
        sum += i;
#pragma endscop
    show("u", 3 * n, u[0]);
    show("v", 3 * n, v[0]);
    return sum;
}

/* At the end of a region in a loop of the program's own, and by a macro. */
static void ends(int n, int steps, double *u, double *v)
{
    double *w = 0;
    for (int t = 0; t < steps; t++) {
#pragma scop
        for (int i = 1; i < n; i++)
            v[i] = u[i] + 0.5 * u[i - 1];
        w = u;
        u = v;
        v = w;
#pragma endscop
    }
    show("ends u", n, u);
    show("ends v", n, v);
    show("ends w", n, w);
}

static void macros(int n, int steps, double *u, double *v)
{
#pragma scop
    for (int t = 1; t <= steps; t++) {
        for (int i = 1; i < n; i++)
            v[i] = u[i] + 0.5 * u[i - 1];
        SWAP(u, v);
    }
    SWAP(u, v);
#pragma endscop
    show("macros u", n, u);
    show("macros v", n, v);
}

static double a[N], b[N], c[N], x[N][3], y[N][3];
static int p[N], q[N], wall[9][N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 7, b[i] = i % 5, c[i] = i % 3, p[i] = i % 4, q[i] = i % 6;
        for (int k = 0; k < 3; k++)
            x[i][k] = i % (k + 2), y[i][k] = i % (k + 5);
        for (int k = 0; k < 9; k++)
            wall[k][i] = (i * 7 + k * 3) % 10;
    }
}

int main(void)
{
    for (int steps = -1; steps < 6; steps++) {
        fill();
        show("sweeps", N, sweeps(N, steps, a, b));
        ends(N, steps < 1 ? 1 : steps, a, b);
        first(steps + 2, N, p, q, wall);
        for (int i = 0; i < N; i++)
            printf("%d %d,", p[i], q[i]);
        macros(N, steps, a, c);
        levels(N, steps, -1, a, b, c);
        show("a", N, a), show("b", N, b), show("c", N, c);
        printf("%g\n", twice(N, 2, steps, x, y));
    }
    return 0;
}
