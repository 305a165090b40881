/* What loops leave in their iterators, read by statements with control flow of their own. */
#include <stdio.h>

static void kernel(int n, int m, const int *restrict q, double *restrict b, int c[n + 8])
{
    int k, l;
#pragma scop
    int i = 0;
    for (i = 0; i < m; i = i + 3) {
        int y = 0;
        for (y = 0; y < n; y++)
            break;
    }
    for (int j = q[i] & 15; j < 16; j++)
        b[j] *= 2;
    for (k = n; k > 1; k -= 2)
        c[k] += 1;
    if (q[n] > 3 && k < 1)
        b[k] += 1;
    for (l = 0; l < n; l += 2) {
        if (q[l] > 9)
            break;
        c[l] ^= 1;
    }
    while (l > 0 && q[l] < 8)
        l--;
    b[l] -= 3;
    for (k = 0; k < n && q[k] < 12; k++)
        c[k] += 2;
    for (k = 0; k < q[k] % 5; k++)
        b[k] += k;
    for (k = 3; k < m; k++)
        b[k] -= k;
#pragma endscop
    c[0] += k + l;
}

int main(void)
{
    for (int n = 0; n < 12; n++) {
        int q[32], c[32];
        double b[32], sum = 0;
        for (int i = 0; i < 32; i++)
            q[i] = (i * 5 + n) % 17, b[i] = i, c[i] = i;
        kernel(n, n + 3, q, b, c);
        for (int i = 0; i < 32; i++)
            sum += (i + 1) * b[i] + c[i] * 0.125;
        printf("%d %.17g\n", n, sum);
    }
    return 0;
}
