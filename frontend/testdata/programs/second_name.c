/* Pointers in front of the region that lead into arrays which the region uses by their names. */
#include <stdio.h>

static void ahead(int n, int *restrict c)
{
    int *q = c + 3;
#pragma scop
    for (int i = 0; i < n; i++)
        c[i] = q[i] + 1;
#pragma endscop
}

static void by_another(int n, int *restrict c)
{
    int *half = c + n, *q = half + 1;
#pragma scop
    for (int i = 0; i < n; i++)
        q[i] = c[2 * i + 1] - c[i];
#pragma endscop
}

static void of_variable(int n, int *restrict out)
{
    int buffer[40], *q = &buffer[2];
    for (int i = 0; i < 40; i++)
        buffer[i] = i * i;
#pragma scop
    for (int i = 0; i < n; i++)
        q[i] = buffer[i] + out[i];
#pragma endscop
    for (int i = 0; i < 40; i++)
        out[i] = buffer[i];
}

static void of_rows(int n, int a[n][n])
{
    int (*q)[n] = a + 1, *p = a[2] + 1;
#pragma scop
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++)
            a[i][j] += q[i][j] + p[j];
#pragma endscop
}

int main(void)
{
    int c[64];
    for (int i = 0; i < 64; i++)
        c[i] = i % 7;
    for (int n = 0; n < 8; n++) {
        ahead(n, c);
        by_another(n, c);
        of_variable(n, c);
        if (n > 2)
            of_rows(n, (int (*)[n]) c);
        for (int i = 0; i < 40; i++)
            printf("%d ", c[i]);
        printf("\n");
    }
    return 0;
}
