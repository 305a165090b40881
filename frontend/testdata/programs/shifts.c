/* Halves by shifts and multiples by masks, in bounds, conditions and subscripts, of negative values as well. */
#include <stdio.h>
#define N 75
static double a[N], b[N], blocks[N], folded[N];

static void run(int n, int low, unsigned k)
{
#pragma scop
    for (int i = low >> 1; i < n >> 1; i++)
        a[i + 20] = a[i + 20] * 0.5 + i;
    for (int i = 0; i < (n & ~7); i++)
        b[i] += a[i] * i;
    for (int i = n & -4; i < n; i++)
        b[i] -= i;
    for (int i = 0; i < n; i++)
        if (i >= (low & ~3) + 24 && (unsigned) i < (k & ~3u))
            blocks[i] = a[i] - b[(i - 9 >> 2) + 3];
    for (int i = 0; i < n >> (1 << 1); i++)
        for (int j = 0; j < 1 << 2; j++)
            folded[i] += blocks[(i << 2) + j];
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 7 * 0.25;
        b[i] = i % 5;
    }
    run(N, -13, N - 2);
    run(N - 6, -12, 33);
    run(-4, -11, 0);
    for (int i = 0; i < N; i++)
        printf("%a %a %a %a\n", a[i], b[i], blocks[i], folded[i]);
    return 0;
}
