/* Statements that never run: what only they use is still used in the output, as far as compilers see. */
#include <stdio.h>
#define LAYERS 3
static double table[9] = {1, 2, 3};
static double pick(double x, int i) { return x * i + 1; }
static double other(double x) { return pick(x, 2) + 1; }
static double far(double x) { return x - 1; }

static void f(int n, double *a)
{
    const int lag = 7;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += 1;
    for (int i = 0; i < LAYERS - 3; i++)
        a[i] = other(a[i]) + lag * table[i];
    for (int i = 0; i < n; i++)
        if (i > n + 1)
            a[i] = pick(a[i], 1);
        else
            a[i] *= 2;
    if (n < 0)
        for (int i = 0; i < n; i++)
            a[i] = far(a[i]);
#pragma endscop
}

int main(void)
{
    double a[40];
    for (int i = 0; i < 40; i++)
        a[i] = i;
    f(40, a);
    f(0, a);
    for (int i = 0; i < 40; i++)
        printf("%a\n", a[i]);
    return 0;
}
