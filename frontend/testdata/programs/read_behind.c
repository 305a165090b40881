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

int main(void)
{
    for (int way = 0; way < 3; way++) {
        int s = labels(5, way) + 100 * step(6, way) + 10000 * operands(7, way);
        for (int i = 0; i < M; i++) s += a[i];
        printf("%d\n", s);
    }
    return 0;
}
