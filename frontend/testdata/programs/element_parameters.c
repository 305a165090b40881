/* Elements and members that the region only reads, at places that variables have meanwhile which it
 * changes or declares. */
#include <stdio.h>

struct table { int n, at[9]; };

static void choose(double *restrict a, const int *restrict c, const struct table *restrict g, int t[3][4])
{
    int pos = 4;
#pragma scop
    pos--;
    if (c[pos + 3])
        a[0] = 1;
    const int k = 2;
    if (c[k] > 0)
        a[1] = 2;
    pos += 2;
    if (g->at[pos] == 7)
        a[2] = 4;
    for (int i = 0; i < t[k][pos - 4]; i++)
        a[i + 3] = i + 1;
    if (c[8] > 5)
        a[9] = 6;
#pragma endscop
}

int main(void)
{
    double a[12] = {0};
    int c[9] = {0, 0, 1, 0, 0, 0, 1, 0, 6}, t[3][4] = {{0}};
    struct table g = {9, {0, 0, 0, 0, 0, 7}};
    t[2][1] = 3;
    t[2][0] = 5;
    choose(a, c, &g, t);
    for (int i = 0; i < 12; i++)
        printf("%g ", a[i]);
    printf("\n");
    return 0;
}
