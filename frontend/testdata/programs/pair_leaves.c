/* What loops leave in a variable: in the second of two, which other statements set, too, and in
 * one that they do not begin with. */
#include <stdio.h>

static int behind_loop(int n, short *restrict c)
{
    int l = n, p;
#pragma scop
    for (l = 0; l < n; l++)
        c[l] = l;
    for (p = 0, l = n - 1; p < l; p++, l--)
        c[p] ^= 1;
#pragma endscop
    return l;
}

static int behind_empty(int n, short *restrict c, const int *restrict q)
{
    int l = n, p;
#pragma scop
    for (l = 0; l < n; l++) {
    }
    for (p = 0, l = n - 1; p < l; p++, l--)
        c[q[0]] ^= 1;
#pragma endscop
    return l;
}

static int in_front(int n, short *restrict c)
{
    int l, p;
#pragma scop
    for (p = 0, l = n - 1; p < l; p++, l--)
        c[p] ^= 1;
    for (l = 0; l < n; l++)
        c[l] += l;
#pragma endscop
    return l;
}

static int by_while(int n, short *restrict c)
{
    int l = 1;
#pragma scop
    while (l < n) {
        c[l] ^= 1;
        l++;
    }
#pragma endscop
    return l;
}

static int without_start(int n, short *restrict c)
{
    int l = 2;
    for (int round = 0; round < 2; round++) {
#pragma scop
        for (; l < n; l++)
            c[l] ^= 1;
#pragma endscop
        l -= 2;
    }
    return l;
}

int main(void)
{
    short c[40];
    int q[1] = {1};
    for (int i = 0; i < 40; i++)
        c[i] = i;
    for (int n = 0; n < 9; n++) {
        printf("%d %d ", behind_loop(n, c), behind_empty(n, c, q));
        printf("%d %d %d: ", in_front(n, c), by_while(n, c), without_start(n, c));
        for (int i = 0; i < 10; i++)
            printf("%d ", c[i]);
        printf("\n");
    }
    return 0;
}
