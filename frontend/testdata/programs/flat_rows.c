/* Arrays of arrays that are used as one long row, from their first element on. */
#include <stdio.h>

static int m[9][9];

static void all(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            (&m[0][0])[i * 9 + j] ^= 1;
#pragma endscop
}

static void both(int a[8][4])
{
#pragma scop
    for (int e = 0; e < 31; e++)
        (&a[0][0])[e] += a[e / 4][(e + 1) % 4];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++)
            *(&a[0][0] + i * 4 + j) += a[7 - i][j];
#pragma endscop
}

static void by_pointer(int n, int a[n][n])
{
    int *p = &a[0][0];
#pragma scop
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n; j++)
            p[i * n + j] += a[i + 1][j];
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            m[i][j] = (3 * i + j) % 7;
    for (int n = 1; n < 10; n++) {
        all(n);
        both((int (*)[4]) m);
        by_pointer(n, (int (*)[n]) m);
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < 9; j++)
                printf("%d ", m[i][j] %= 1000);
        printf("\n");
    }
    return 0;
}
