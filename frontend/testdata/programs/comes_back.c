/* Regions in loops of the function that read at their beginning what they leave at their end. */
#include <stdio.h>

static void iterator(int n, const double *restrict d, double *restrict x)
{
    int k = 2;
    for (int round = 0; round < 3; round++) {
#pragma scop
        x[0] += d[k];
        for (k = 0; k < n; k++)
            x[k + 1] += k;
#pragma endscop
    }
}

static void several(int n, const double *restrict d, double *restrict x)
{
    int h = 2, k = h, y;
    for (int round = 0; round < 3; round++) {
#pragma scop
        x[0] += d[k];
        for (y = 0, k = 0; y < n; y++, k++)
            x[y + 1] += k;
#pragma endscop
    }
}

static void scalar(int n, const double *restrict d, double *restrict x)
{
    double last = 1;
    for (int round = 0; round < 3; round++) {
#pragma scop
        for (int i = 0; i < n; i++)
            x[i] += last * d[i];
        last = x[0];
#pragma endscop
    }
}

static void inside(int n, const double *restrict d, double *restrict x)
{
    for (int round = 0; round < 3; round++) {
        int k = round;
#pragma scop
        x[0] += d[k];
        for (k = 0; k < n; k++)
            x[k + 1] += k;
#pragma endscop
    }
}

int main(void)
{
    double d[40], x[40] = {0};
    for (int i = 0; i < 40; i++)
        d[i] = i + 10;
    for (int n = 0; n < 5; n++) {
        iterator(n, d, x);
        several(n, d, x);
        scalar(n, d, x);
        inside(n, d, x);
        for (int i = 0; i < 8; i++)
            printf("%g ", x[i]);
        printf("\n");
    }
    return 0;
}
