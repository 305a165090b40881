/* What looks constant but has effects, and sizes of arguments that are written as arrays. */
#include <stdio.h>
#include <string.h>

static void effects(int k, int n, double a[10], double z[10])
{
#pragma scop
    for (int i = 0; i < (n = 4); i++)
        a[i] = k + i;
    if ((k = 0))
        a[5] = 1;
    for (int i = (k = 1); i < 3; i++)
        a[6 + i] = k;
    double own[2] = {(k = 2), 3};
    a[9] = own[0] + own[1];
    for (int i = 0; i < (int) (sizeof z / sizeof z[0]); i++)
        z[i] = k;
#pragma endscop
    printf("%d %d\n", k, n);
}

int main(void)
{
    double a[10] = {0}, z[10] = {0};
    effects(7, 9, a, z);
    for (int i = 0; i < 10; i++)
        printf("%g %g\n", a[i], z[i]);
    return 0;
}
