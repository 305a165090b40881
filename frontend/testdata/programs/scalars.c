/* Scalars of all kinds and types, and all assignment operators. */
#include <stdbool.h>
#include <stdio.h>
#define N 45
static double a[N], b[N][N], total;
static long counter = 3;
static unsigned bits[N];
static char letters[N];
static short shorts[N];
static bool flags[N];
static const double table[4] = {0.5, 1.5, 2.5, 3.5};
enum { FIRST = 1, STRIDE = 2 };

static double scalars(int n, double seed)
{
    static int calls;
    double live_in = seed, live_out, both = 1;
    int last = -1, steps = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        double t = a[i] * live_in, u;
        u = t * t + table[i % 4];
        b[i][0] = u;
        {
            const double t = u - 1;
            b[i][1] = t;
        }
        live_out = u + both;
        both *= 1.0 + 1.0 / (i + 1);
        calls++;
    }
#pragma endscop
#pragma scop
    for (int i = FIRST; i < n; i += STRIDE) {
        bits[i] ^= 1u << (i % 31);
        bits[i] |= bits[i - 1] + 7u;
        bits[i] &= ~(unsigned) i;
        bits[i] <<= 1, steps++;
        bits[i] >>= 2;
        bits[i] %= 1000;
        letters[i] = (char) (letters[i - 1] + i);
        shorts[i] -= (short) (i * 3);
        shorts[i] /= 2;
        flags[i] = i > 10 && a[i] > 1.0;
        ++counter;
        --shorts[i - 1];
        last = i;
        ;
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) {
        double row[4];
        for (int k = 0; k < 4; k++)
            row[k] = a[i] + k * table[k];
        for (int k = 0; k < 4; k++)
            b[i][k + 2] = row[3 - k];
    }
#pragma endscop
#pragma scop
    for (int i = 2; i < n; i++) {
        const double stencil[3] = {0.25, 0.5, 0.25};
        for (int k = 0; k < 3; k++)
            b[i][k] += stencil[k] * a[i - k];
    }
    for (int i = 0; i < n; i++) {
        float scratch[n];
        for (int j = 0; j < n; j++)
            scratch[j] = (float) (a[j] / (i + 1));
        for (int j = 1; j < n; j++)
            b[i][j] += scratch[j] - scratch[j - 1];
    }
#pragma endscop
#pragma scop
    total = 0;
    for (int i = 0; i < n; i++)
        total += b[i][i];
    a[n - 1] = total;
#pragma endscop
    printf("%d %d %d %a\n", calls, last, steps, live_out);
    return both;
}
int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = 0.1 * i;
        letters[i] = (char) i;
        shorts[i] = (short) (i * i);
    }
    printf("%a\n", scalars(N, 0.75));
    printf("%a %ld %a\n", scalars(N, 1.25), counter, total);
    for (int i = 0; i < N; i++) {
        printf("%a %u %d %d %d\n", a[i], bits[i], letters[i], shorts[i], flags[i]);
        for (int j = 0; j < N; j++)
            printf("%a ", b[i][j]);
    }
    return 0;
}
