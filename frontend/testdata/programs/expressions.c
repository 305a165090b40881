/* Bits of iterators, a ?: b, addresses by sums and differences, casts to the type that is there, labels, facts, and statements without effect. */
#include <stdio.h>
#define N 36
static double a[N + 8], b[N + 8], c[N + 8], m[N][N + 4], w[2][N];
static int k[N];
struct pair { double x, y; };
static struct pair pairs[N];

static void bits(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i ^ 1] = b[i] + 1;
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < n - 1; i++)
            w[(t & 1) ^ 1][i] = w[t & 1][i - 1] + 0.5 * w[t & 1][i + 1];
    for (int i = -4; i < n - 5; i++)
        c[(i | 1) + 4] += a[(i ^ 5) + 8];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[~i + n][(j ^ 6) | 1] += i - 2 * j;
    for (unsigned u = 0; u < (unsigned) n; u += 2)
        b[u | 1] += c[u ^ 2];
#pragma endscop
}

static void addresses(int n, double *restrict p, const double *restrict q)
{
#pragma scop
    for (int i = 0; i < n; i++)
        *(p + n - 1 - i) = *(q + i) + ((double *) a)[i];
    for (unsigned i = 0; i < (unsigned) n; i++)
        *(double *) &p[i] += *(const double *) (q + n - 1u - i);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            *(*(m + i) + i - j) += (&m[j][i])[-j] * *((double *) m[i] + j);
    for (int i = 1; i < n; i++)
        ((struct pair *) pairs)[i].x = (pairs + i - 1)->y + 1;
#pragma endscop
}

static int pick(int x) { return x ?: 7; }
static void choices(int n, int r)
{
#pragma scop
    for (int i = 0; i < (r ?: n); i++)
        k[i] = k[n - 1 - i] ?: i + 3;
    for (int i = 0; i < n - 8; i++)
        c[i] += b[i % 3 ?: 5] + pick(i % 2);
#pragma endscop
}

static void named(int n, int h)
{
    switch (n & 3) {
    case 0:
    default:
#pragma scop
        if (!(h > n)) __builtin_unreachable();
        for (int i = 0; i < n - h / 2; i++) {
            if (b[i] > 1e300)
                __builtin_unreachable();
            __builtin_prefetch(&a[i + 4], 0, 3);
S1:         a[i] = 2 * b[i];
            if (k[i] > 3) {
inner:          c[i] += a[i];
            } else
other:          c[i] -= k[i];
S2:         b[i] = a[i] + (i > 0 ? b[i - 1] : 0);
            (void) k[i];
        }
#pragma endscop
        break;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 5, b[i] = i % 7, c[i] = i, k[i] = i % 4;
        w[0][i] = i, w[1][i] = -i;
        pairs[i].x = i, pairs[i].y = 2 * i;
        for (int j = 0; j < N; j++)
            m[i][j] = i * j % 9;
    }
    bits(N);
    addresses(N, c, b);
    choices(N, 0);
    choices(N, 20);
    named(N, N + 4);
    for (int i = 0; i < N; i++) {
        printf("%g %g %g %d %g %g %g", a[i], b[i], c[i], k[i], w[0][i], w[1][i], pairs[i].x);
        for (int j = 0; j < N; j++)
            printf(" %g", m[i][j]);
        printf("\n");
    }
    return 0;
}
