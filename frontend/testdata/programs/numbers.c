/* Infinities, NaN, questions about numbers, complex functions and operations on bits, which headers make builtins of compilers. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#define N 41
static double a[N][N], low[N], high[N];
static double complex z[N];
static unsigned bits[N];
static int kind[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        z[i] = i - 3 + I;
        bits[i] = i * 2654435761u;
        for (int j = 0; j < N; j++)
            a[i][j] = j % 9 == 4 ? 0.0 / (i % 3) : (i * 7 + j * 3) % 13 / (j - 8.0);
    }
#pragma scop
    for (int i = 0; i < N; i++) {
        low[i] = INFINITY;
        high[i] = -HUGE_VAL;
        kind[i] = 0;
        for (int j = 0; j < N; j++) {
            if (!isnan(a[i][j]) && a[i][j] < low[i])
                low[i] = a[i][j];
            if (isfinite(a[i][j]) && isgreater(a[i][j], high[i]))
                high[i] = a[i][j];
            kind[i] += isinf(a[i][j]) != 0 ? 100 : signbit(a[i][j]) != 0 ? 10 : 1;
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[j][i] = isnan(a[j][i]) ? low[i] : a[j][i] == 0 ? NAN : high[j];
    for (int i = 1; i < N; i++) {
        z[i] = conj(z[i]) * creal(z[i - 1]) / cabs(z[i]) + cimag(z[i]) * I;
        bits[i] = __builtin_popcount(bits[i]) + __builtin_bswap32(bits[i - 1]);
    }
#pragma endscop
    for (int i = 0; i < N; i++) {
        printf("%a %a %a %a %u %d\n", low[i], high[i], creal(z[i]), cimag(z[i]), bits[i], kind[i]);
        for (int j = 0; j < N; j++)
            printf("%d %a\n", isnan(a[i][j]), isnan(a[i][j]) ? 0 : a[i][j]);
    }
    return 0;
}
