/* Loops that step by a variable, also by one that is 0 or less where they do not run. */
#include <stddef.h>
#include <stdio.h>
#define N 61
struct plan { int from, to, step; };
static double a[N], b[N], m[5][N];

static int upward(int n, int from, int step)
{
    int i;
#pragma scop
    for (i = from; i < n; i += step)
        a[i] = 2 * a[i] + i;
#pragma endscop
    return i;
}

static int downward(int n, int to, int step)
{
    int i, j;
#pragma scop
    for (i = n - 1; i >= to; i -= step) {
        if (i == 7)
            continue;
        b[i] += a[i] - i;
    }
    for (j = n; j > to + 1; j = j - step)
        b[j - 1] -= 3;
#pragma endscop
    return i + 100 * j;
}

static void inside(int n, const struct plan p, size_t stride, double *restrict a)
{
    int j;
#pragma scop
    for (int k = 0; k < 5; k++)
        for (j = p.from; j <= p.to; j = 2 * p.step + j)
            m[k][j] += b[j] * k;
    for (size_t i = 1; i < (size_t) n; i += stride)
        a[i] += b[i];
    for (int k = 4; k >= 0; k--)
        for (int i = k; i < n; i += p.step)
            m[k][i] -= i;
    for (unsigned i = 0; i < 5; i += p.step)
        for (long l = 0; l < n; l += stride)
            m[i][l] += l;
#pragma endscop
}

/* Blocks whose size is a variable, and strides of two arrays. */
static void blocks(int n, int block, int sx, int sy)
{
    int first, i;
    double sum = 0;
#pragma scop
    for (first = 0; first < n; first += block)
        for (i = first; i < (first + block < n ? first + block : n); i++) {
            sum += a[i];
            a[i] += 0.5 * first;
        }
    for (int x = 0, y = 0; x < n - sx; x += sx, y += sy)
        if (y < n)
            b[y] += m[3][x];
#pragma endscop
    a[0] += sum;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = (i * 7) % 19, b[i] = (i * 5) % 17;
    for (int step = 1; step < 9; step++) {
        for (int from = 0; from < 7; from += 3)
            printf("%d\n", upward(N - step, from, step) + downward(N - from, step - 3 < 0 ? 0 : step - 3, step));
        inside(N, (struct plan){step, N - 2, step}, step + 1, a);
        blocks(N - step, step, step, 9 - step);
    }
    for (int step = -2; step < 1; step++) {
        printf("%d\n", upward(5, 5 - step, step) + downward(4, 4 - step, step));
        inside(0, (struct plan){2, 1, 1}, 3, a);
    }
    double s = 0;
    for (int i = 0; i < N; i++)
        s = 0.75 * s + a[i] + b[i] + m[i % 5][i];
    printf("%.17g\n", s);
    return 0;
}
