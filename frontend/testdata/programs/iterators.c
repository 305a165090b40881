/*
 * What loops leave in their iterators is read by another function, through a
 * pointer, after a jump back and at the next call; or set again by a macro,
 * and not read.
 */
#include <stdio.h>
#define N 27
#define EACH(i) for (i = 0; i < N; i++)

static int a[N], b[N][N], shared, i;

static int last(void) { return shared; }

static int again(int n)
{
    static int kept = 3;
    int before = kept;
#pragma scop
    for (kept = 0; kept < n; kept++)
        a[kept] += kept;
#pragma endscop
    return before;
}

static void macros(void)
{
    int j;
#pragma scop
    EACH(i)
        EACH(j)
            b[i][j] = i * j;
#pragma endscop
    EACH(i)
        EACH(j)
            b[i][j] += a[j];
}

int main(void)
{
    int k = 0, through = 0, *p = &through, rounds = 0;
#pragma scop
    for (shared = 0; shared < N; shared++)
        a[shared] = shared * shared;
    for (through = N - 1; through >= 4; through--)
        a[through] += 2;
#pragma endscop
    printf("%d %d\n", last(), *p);
back:
    printf("%d\n", k);
#pragma scop
    for (k = 0; k <= N - 3; k++)
        a[k] -= k;
#pragma endscop
    if (rounds++ < 2)
        goto back;
    for (int n = 5; n < 8; n++)
        printf("%d\n", again(n));
    macros();
    EACH(i)
        printf("%d %d\n", a[i], b[i][i / 2]);
    return 0;
}
