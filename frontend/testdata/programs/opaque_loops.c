/* Loops and switches that depend on data, each inside one iteration of the loops around: one statement with everything in it. */
#include <stdio.h>
#define N 40
#define M 24
static double a[N][M], b[N][M], sorted[N][M], low[N];
static int count[N], found[N], table[97], place[N], kind[N][M], steps[N];
static float out[N][M];

static int gcd(int x, int y)
{
    while (y != 0) {
        int r = x % y;
        x = y;
        y = r;
    }
    return x;
}

/* A while whose variables belong to the iteration. */
static void escape(int h, int w, int most)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double cr = 3.0 * x / w - 2, ci = 2.0 * y / h - 1, zr = 0, zi = 0;
            int k = 0;
            while (k < most && zr * zr + zi * zi < 4) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                k++;
            }
            out[y][x] = k;
        }
#pragma endscop
}

/* Insertion into the front of each row; j begins with a copy's value. */
static void sort(int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            int last = k - 1;
            double x = a[i][k];
            int j = last;
            while (j >= 0 && sorted[i][j] > x) {
                sorted[i][j + 1] = sorted[i][j];
                j--;
            }
            sorted[i][j + 1] = x;
        }
#pragma endscop
}

/* Searches whose counter is declared in front of the region, and read behind the loop. */
static int search(int n, int m)
{
    int k, best = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (k = 0; k < m; k++) {
            if (a[i][k] > 7)
                break;
            if (b[i][k] < 0)
                continue;
            count[i]++;
        }
        found[i] = k;
        best += k;
    }
#pragma endscop
    return best + k;
}

/* Bisection, and a table that iterations share. */
static void probe(int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int lo = 0, hi = m;
        while (lo < hi) {
            int middle = (lo + hi) / 2;
            if (sorted[i][middle] < low[i])
                lo = middle + 1;
            else
                hi = middle;
        }
        place[i] = lo;
    }
    for (int i = 0; i < n; i++) {
        int h = (place[i] * 31 + i * 7) % 97;
        while (table[h] != 0)
            h = (h + 1) % 97;
        table[h] = i + 1;
    }
#pragma endscop
}

/* Switches with and without breaks, inside loops and with loops inside; do … while (0) that is left. */
static void states(int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            switch (kind[i][j]) {
            case 0:
                b[i][j] = 1;
                break;
            case 1:
                b[i][j] *= 2; /* on to the next */
            case 2: {
                int r = j;
                do {
                    r -= 3;
                    if (r == 5)
                        continue;
                    b[i][j] += r;
                } while (r > 0);
                break;
            }
            default:
                for (int r = 0;; r++) {
                    if (r == i || r * r > j)
                        break;
                    b[i][j] -= r;
                }
            }
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            do {
                if (kind[i][j] == 3)
                    break;
                a[i][j] = b[i][j - 1];
                if (a[i][j] < 0)
                    continue;
                b[i][j] = a[i][j] * 0.5;
            } while (0);
#pragma endscop
}

/* Numbers of steps: halving, functions with loops, and a while under a condition that is affine. */
static void numbers(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int x = i + 1, s = 0;
        while (x != 1) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            s++;
        }
        steps[i] = s;
    }
    for (int i = 1; i < n; i++)
        steps[i] += gcd(steps[i - 1], i);
    for (int i = 0; i < n; i++)
        if (i > 5) {
            int bits = 0;
            for (int x = steps[i]; x; x >>= 1)
                bits += x & 1;
            for (int stride = 1; stride < n; stride *= 2)
                bits += steps[i] > stride;
            count[i] += bits;
        }
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        low[i] = i % 9;
        for (int j = 0; j < M; j++) {
            a[i][j] = (i * 7 + j * 13) % 11 - 1;
            b[i][j] = (i * 5 + j * 3) % 7 - 2;
            kind[i][j] = (i + j * j) % 5;
        }
    }
    escape(N, M, 30);
    sort(N, M);
    printf("%d\n", search(N, M));
    probe(N, M);
    states(N, M);
    numbers(N);
    for (int i = 0; i < N; i++) {
        printf("%d %d %d %d", count[i], found[i], place[i], steps[i]);
        for (int j = 0; j < M; j++)
            printf(" %g %g %g %g", a[i][j], b[i][j], sorted[i][j], out[i][j]);
        printf("\n");
    }
    for (int h = 0; h < 97; h++)
        printf("%d ", table[h]);
    return 0;
}
