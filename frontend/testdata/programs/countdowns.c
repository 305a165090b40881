/* Loops that count down to zero without a comparison. */
#include <stdio.h>

static void kernel(int n, unsigned m, double a[n + 1], double b[n + 1], int c[m + 1])
{
    int i;
#pragma scop
    for (unsigned long k = n; k--;)
        a[k] += k;
    for (i = n; i--;)
        b[i] = a[i] * 2;
    for (unsigned t = m; t--;)
        c[t] += t & 3;
    for (i = n; i-- != 0;)
        for (unsigned short l = 3; l--;)
            b[i] += l;
#pragma endscop
}

int main(void)
{
    for (int n = 0; n < 9; n++) {
        double a[12], b[12], sum = 0;
        int c[12];
        for (int i = 0; i < 12; i++)
            a[i] = i, b[i] = i, c[i] = i;
        kernel(n, n + 1, a, b, c);
        for (int i = 0; i < 12; i++)
            sum += (i + 1) * (a[i] + 3 * b[i]) + c[i] * 0.25;
        printf("%d %.17g\n", n, sum);
    }
    return 0;
}
