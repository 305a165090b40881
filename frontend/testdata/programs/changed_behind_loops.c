/* Iterators that something changes behind the loop over them, and that are read behind the region. */
#include <stdio.h>

static int kernel(int n, double a[n + 4], const int c[n + 4])
{
    int i, j, k, l;
#pragma scop
    for (i = 1; i < n; i++)
        a[i] += 1.5;
    if (n > 3)
        i--;
    for (j = 0; j < n; j++)
        a[j] *= 2;
    j += 3;
    for (k = n; k > 0; k--)
        a[k] -= k;
    if (c[2] > 1)
        k = c[1];
    for (l = 0; l < n; l++)
        a[l] += l;
    {
        l = n > 5 ? l - 2 : 7;
    }
#pragma endscop
    return ((i * 31 + j) * 31 + k) * 31 + l;
}

int main(void)
{
    for (int n = 0; n < 12; n++) {
        double a[16], sum = 0;
        int c[16];
        for (int i = 0; i < 16; i++)
            a[i] = i * 0.25, c[i] = (i + n) % 4;
        int left = kernel(n, a, c);
        for (int i = 0; i < 16; i++)
            sum += a[i] * (i + 1);
        printf("%d %d %.17g\n", n, left, sum);
    }
    return 0;
}
