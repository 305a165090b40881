/* Loops that the model has not are statements where the region has others. */
#include <stdio.h>

static int kernel(int n, double a[n + 9], const int c[n + 9])
{
    int i, k, q, p = 1;
#pragma scop
    for (i = 0; i < n; i++)
        if (i + 4294967290u < 4)
            a[i] = 1;
        else
            a[i] += 1;
    for (unsigned j = 0; j + 4294967295u < 7; j++)
        a[j] = 2;
    for (k = 1; k < n; k *= 2)
        a[k] *= 3;
    for (; k > 1; k /= 2)
        a[k / 2] += k;
    for (short s = n; s < n; s++)
        a[s] = 4;
    for (q = 0; q < n; q++) {
        a[q] += c[q];
        if (c[q] > 5)
            q++;
    }
    for (; p < n; p += c[p] + 1)
        a[p] -= 7;
#pragma endscop
    return q * 100 + k * 10 + p;
}

int main(void)
{
    for (int n = 0; n < 12; n++) {
        double a[24], sum = 0;
        int c[24];
        for (int i = 0; i < 24; i++)
            a[i] = i * 0.5, c[i] = (i * 5 + n) % 7;
        int left = kernel(n, a, c);
        for (int i = 0; i < 24; i++)
            sum += a[i] * (i + 1);
        printf("%d %d %.17g\n", n, left, sum);
    }
    return 0;
}
