/* What loops that an affine break ends leave in their iterators. */
#include <limits.h>
#include <stdio.h>
#define N 9
#define M 12
static int a[N][M], end[8][N], side[N];

static void up(int n, int m, int s, int e)
{
    int j = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (j = s; j < m; j++) {
            if (j > i + e)
                break;
            a[i][j] += i + j;
        }
        end[0][i] = j;
    }
    for (int i = 0; i < n; i++) {
        for (j = s; j <= m - 1; j++) {
            a[i][j] += 1;
            if (j >= 2 * i + e) break;
            a[i][j] += 2;
        }
        end[1][i] = j;
        side[i] = 3 * j;
    }
    for (int i = 0; i < n; i++) {
        for (j = s; j < m; j++) {
            if (i == j) { break; }
            a[i][j] ^= 5;
        }
        end[2][i] = j;
    }
    for (int i = 0; i < n; i++) {
        for (j = s; j < m; j++) {
            if (j < i + e)
                break;
            a[i][j] += 7;
        }
        end[3][i] = j;
    }
#pragma endscop
}

static void down(int n, int m, int s, int e)
{
    int j = 0, k = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (j = m - 1; j >= s; j--) {
            if (i + e > j)
                break;
            a[i][j] += i - j;
        }
        end[4][i] += j;
        for (k = m - 1; k >= s; --k) {
            a[i][k] ^= 3;
            if (k <= i)
                break;
        }
        end[5][i] += k + j;
    }
    for (int i = 0; i < n; i++) {
        for (j = m; j > s; j--) {
            if (j == i + e)
                break;
            a[i][j - 1] += 11;
        }
        end[6][i] += j;
        for (; j < m; j++)
            a[i][j] ^= 6;
    }
#pragma endscop
}

/* The limit may be the largest number, so that nothing may be added to it. */
static long far(int m, int e, int *where)
{
    int j = 77;
    long sum = 0;
#pragma scop
    for (j = 0; j < m; j++) {
        if (j > e)
            break;
        sum += j;
    }
    *where = j;
    for (j = m; j > 0; j--) {
        if (j < e)
            break;
        sum -= 2 * j;
    }
    *where += 100 * j;
#pragma endscop
    return sum;
}

/* Other jumps, and limits that the loop changes: the loop is one statement. */
static void others(int n, int m)
{
    int j, e;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            if (j % 3 == i % 3)
                continue;
            if (j > i + 2)
                break;
            a[i][j] += 1;
        }
        end[7][i] = j;
        e = i;
        for (j = 0; j < m; j++) {
            if (j > e) break;
            if (a[i][j] & 1) e++;
        }
        end[7][i] += 100 * j;
        for (j = 0; j < m; j++)
            if (a[i][j] > 20) break;
        side[i] = j;
    }
#pragma endscop
}

int main(void)
{
    static const int limits[] = {INT_MIN, -4, 0, 3, 8, INT_MAX};
    for (int n = 0; n <= N; n += 3)
        for (int m = 0; m <= M; m += 4)
            for (int s = 0; s < 3; s++)
                for (int e = -3; e < 5; e += 2) {
                    up(n, m, s, e);
                    down(n, m, s, e);
                }
    others(N, M);
    for (int m = -1; m < 9; m += 3)
        for (int k = 0; k < 6; k++) {
            int where;
            long sum = far(m, limits[k], &where);
            printf("%ld %d\n", sum, where);
        }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) printf("%d ", a[i][j]);
        for (int k = 0; k < 8; k++) printf("%d ", end[k][i]);
        printf("%d\n", side[i]);
    }
    return 0;
}
