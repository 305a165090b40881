#include <stdio.h>
double a[90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        printf("%d\n", i);
#pragma endscop
}
