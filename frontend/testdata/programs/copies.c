/* Integer variables that only hold affine values under another name. */
#include <stdio.h>
#define N 60
static double a[2 * N + 8], b[N][N];
static void copies(int n, long m)
{
    int k, last = 0;
    long w;
#pragma scop
    for (int i = 0; i < n; i++) {
        int next = i + 1, twice;
        const long shifted = next + m;
        a[next] += shifted * 0.5 + a[shifted - m];
        twice = 2 * i;
        a[twice] = next % 3 + twice / 2;
        for (int j = next; j < n; j++) {
            int row = n - 1 - j, column = i;
            b[row][column] = a[next] * row - (column << 1) / 3.0;
        }
    }
    for (int i = 1; i < n; i++) {
        k = i - 1;
        if (k < 7) {
            w = k + 2;
            b[i][k] += b[k][i] * w;
        }
        b[0][k] = sizeof(k) + k;
    }
    for (int i = 0; i < n; i++) {
        unsigned u = i;
        size_t z = i + 1;
        a[u] += u / 2 + z;
        last = i / 2;
        a[last] += 1;
    }
#pragma endscop
    printf("%d\n", last);
}
int main(void)
{
    for (int i = 0; i < 2 * N + 8; i++)
        a[i] = i * 0.75;
    copies(N, 3);
    for (int i = 0; i < 2 * N + 8; i++)
        printf("%a\n", a[i]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%a ", b[i][j]);
    return 0;
}
