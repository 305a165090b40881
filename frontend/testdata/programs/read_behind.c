/* Iterators that are read behind their region on some ways only: past labels of a switch, before the step of a loop, and where an operand is not evaluated. */
#include <stdio.h>
#define M 16
static double a[M];

static int labels(int n, int way)
{
    int i, s = 0;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += 1;
#pragma endscop
    switch (way) {
    case 0: i = 5; s += i; break;
    case 1: s += 2 * i; break;
    }
    return s;
}

static int step(int n, int times)
{
    int i, s = 0;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += 2;
#pragma endscop
    for (int t = 0; t < times; i = 7, t++)
        s += i;
    return s;
}

static int operands(int n, int way)
{
    int i, j, k, s = 0;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += 3;
    for (j = 0; j < n; j++)
        a[j] += 4;
    for (k = 0; k < n; k++)
        a[k] += 5;
#pragma endscop
    if (way && (i = 2))
        s++;
    if (way == 2 || (j = 3))
        s++;
    s += way ? (k = 1) : 4;
    return 1000 * s + 100 * i + 10 * j + k;
}

/* Ends that move while the loop runs, and those that the loop's body moves. */
static int meeting(int n)
{
    int i, j, k, l, m = n, r = 0;
#pragma scop
    for (i = 0, j = n - 1; i < j; i++, j--)
        a[i] += a[j];
    a[i] += 6;
    for (l = 0, j = n; l <= j; l++, j -= 2)
        a[l] += 7;
    for (k = n - 1, r = 0; k > r; k--, r++)
        a[k] += 8;
    a[k + 1] += 9;
    for (int t = 0; t < n; t++) {
        a[t] += m;
        m--;
    }
#pragma endscop
    return i + 10 * j + 100 * k + 1000 * l + 10000 * m + 100000 * r;
}

int main(void)
{
    for (int n = 0; n < 8; n++)
        printf("%d\n", meeting(n));
    for (int way = 0; way < 3; way++) {
        int s = labels(5, way) + 100 * step(6, way) + 10000 * operands(7, way);
        for (int i = 0; i < M; i++) s += a[i];
        printf("%d\n", s);
    }
    return 0;
}
