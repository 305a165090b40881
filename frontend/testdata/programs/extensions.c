/* What compilers know besides C99: it stays as it is written. */
#include <complex.h>
#include <stdio.h>
#define N 40
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define SIZE(x) _Generic((x), float: size_float, double: size_double, default: size_int)(x)
typedef float v4 __attribute__((vector_size(16)));
struct point { double x, y; int k[3]; };

static double a[N], b[N], u[N][N];
static int c[N], next[N];
static v4 q[N];
static struct point p[N];
static double _Complex z[N];

static float size_float(float x) { return x < 0 ? -x : x; }
static double size_double(double x) { return x < 0 ? -x : x; }
static int size_int(int x) { return x < 0 ? -x : x; }
static double sum(struct point s) { return s.x + s.y * s.k[0]; }

/* Values of types that expressions have, statements that are expressions, _Generic. */
static void values(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __auto_type x = a[i] * 2;
        __auto_type k = n - 1 - i;
        __typeof__(a[i]) y = x;
        _Static_assert(sizeof(x) == 8, "a double");
        c[k] += i;
        a[i] = MAX(x + y, b[i]) + SIZE(c[i]);
        b[i] = ({ double t = a[i]; for (int j = 0; j < 3; j++) t += j; t * 0.5; }) + SIZE(b[i]);
        a[i] += _Generic(c[i], int: 1, default: 2) + __builtin_choose_expr(1, 2.5, 3) + __builtin_types_compatible_p(int, long);
        for (int j = 1; j < n; j++)
            u[i][j] = MAX(MAX(u[i][j - 1], u[i][j]), a[i]);
        if (MAX(a[i], b[i]) > 100)
            a[i] = 0;
    }
#pragma endscop
}

/* Parts of vectors and complex numbers, literals, designators. */
static void parts(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        v4 s = {1, a[i], 2};
        struct point d = {.y = a[i], .x = 1, .k = {[2] = i}};
        double w[8] = {[1] = 2, [3] = a[i], 5, [1] = a[i] * 2, [6] = 7, [6] = 0};
        q[i][1] += 2 * q[i][0] + s[1];
        s[2] = 3;
        q[i] += s;
        for (int j = 0; j < 4; j++)
            b[i] += q[i][j] * w[2 * j];
        p[i] = d;
        p[i].x += sum((struct point){a[i], 2, {3}}) + sum(p[i]);
        c[i] += ((const int[3]){4, 5, 6})[i % 3];
        z[i] = z[i] * z[i] / 1000 + 0.5 * I;
        __real__ z[i] = 3 + __imag__ z[i];
        a[i] += __real__ z[i];
        z[i] = ~z[i] + CMPLX(1, a[i]);
    }
#pragma endscop
}

/* Steps that are no sums: one statement for each loop. */
static int steps(int n)
{
    int most = 0;
#pragma scop
    for (int i = n; i > 0; i >>= 1)
        a[i - 1] *= 2;
    for (int s = n / 2; s > 0; s /= 2)
        for (int i = 0; i < s; i++)
            b[i] += b[i + s];
    for (int i = 1; i < n; i *= 2)
        most += i;
    for (int i = 3; i >= 0; i = next[i])
        c[i]++;
    for (int k = 0; k < n; k++)
        for (int i = 1; i <= k; i <<= 1)
            c[k] += i;
#pragma endscop
    return most;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 7 - 3;
        b[i] = 2 - i % 5;
        c[i] = -i;
        next[i] = i + 5 < N ? i + 5 : -1;
        z[i] = CMPLX(i, -1);
        for (int j = 0; j < N; j++)
            u[i][j] = (i * 7 + j * 3) % 10;
    }
    values(N);
    parts(N);
    printf("%d\n", steps(N));
    for (int i = 0; i < N; i++) {
        printf("%a %a %d %a %a %a %d %a", a[i], b[i], c[i], q[i][1], q[i][3], p[i].x, p[i].k[2], u[i][N - 1]);
        printf(" %a %a\n", creal(z[i]), cimag(z[i]));
    }
    return 0;
}
