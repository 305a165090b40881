/* Variables that get their one value by an assignment, and names of named constants; an index that
   counts beside a sum of the data that it reads. */
#include <stdio.h>
static const unsigned long BLOCK = 4;
static double a[400], b[400];

static void transposed(int n, int m, double *restrict to)
{
    int across, down, own = 3;
    across = 1;
    down = n;
    own = m;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i * across + j * down] = a[i * own + j * across];
#pragma endscop
}

static void blocks(int n)
{
    const int size = BLOCK * 2, half = size / 2;
#pragma scop
    for (int i = 0; i < n; i += size)
        for (int k = i; k < i + size && k < n; k++)
            b[k + half] = b[k + half] * 0.5 + a[i];
#pragma endscop
}

static int sums(int n, int m)
{
    int at, up, last;
    at = 0;
    if (n > 3)
        last = 7;
    else
        last = 2;
#pragma scop
    for (int i = 0; i < n; i++) {
        int row = 0;
        for (int j = 0; j < m; j++) {
            row += (int) a[at];
            up = at - m;
            b[at] = row + (i > 0 ? b[up] : 0) + last;
            at++;
        }
    }
#pragma endscop
    return at;
}

int main(void)
{
    double s = 0;
    for (int n = 0; n < 14; n += 3)
        for (int m = 1; m < 14; m += 4) {
            for (int i = 0; i < 400; i++)
                a[i] = (i * 7 + n) % 19;
            transposed(n, m, b);
            blocks(n * m);
            printf("%d ", sums(n, m));
            for (int i = 0; i < 400; i++)
                s = 0.97 * s + b[i];
            printf("%.17g\n", s);
        }
    return 0;
}
