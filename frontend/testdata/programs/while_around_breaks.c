#include <stdio.h>

/* Loops that count by the end of their bodies, around loops that end early: by an affine break, by
   a continue, in a switch, and the same variable behind a loop that counted it down. */
static int sum(int n, const int *restrict a, int *restrict b, int *restrict c)
{
    int i, at;
#pragma scop
    for (i = n, at = 0; i; i--, at++)
        b[at] = a[i - 1];
    i = 0;
    while (i < n) {
        for (int q = 0; q < n; q++) {
            if (q > i)
                break;
            if (q % 2)
                continue;
            c[i] += b[q];
        }
        i++;
    }
    for (i = 0; i < n;) {
        for (int q = 0; q < n; q++) {
            if (q >= n - i)
                break;
            c[i] += 3 * b[q];
        }
        i += 2;
    }
#pragma endscop
    return at;
}

int main(void)
{
    int a[9], b[9] = {0}, c[9] = {0};
    for (int k = 0; k < 9; k++)
        a[k] = k * k - 5;
    printf("%d", sum(9, a, b, c));
    for (int k = 0; k < 9; k++)
        printf(" %d %d", b[k], c[k]);
    printf("\n");
    return 0;
}
