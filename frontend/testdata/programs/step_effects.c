/* Values in steps whose right sides do more than have a value, of other types than int, and steps of loops that end early. */
#include <stdio.h>
#define M 48
static double a[M];
static long b[M];
static int x[M];

static int effects(int n)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int w;
        w = x[i]++;
        w = 2;
        a[i] = w;
        if (i > 3) w = x[i] += 2; else w = x[i]--;
        w = k++;
        a[k] += i;
        w += k++ + 1;
        w = 3, a[i] += w;
    }
#pragma endscop
    return k;
}

static void types(int n, long m)
{
    long k = 0;
    unsigned u = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = k;
        k += 600000000;
        u += 1073741824u;
        if (u == 0) a[i] = 1; else a[i] += 3;
        int j = i * 1000000000l;
        if (j > 5) b[i] += 1; else b[i] += 2;
        j = m;
        j += 1;
        b[i] += j;
    }
#pragma endscop
}

static int early(int n)
{
    int k = 0, i;
#pragma scop
    for (i = 0; i < n; x[i]++, i++) {
        if (i == 7) break;
        if (i % 3 == 1) continue;
        a[i] += 1;
    }
    for (i = 0; i < n; i++, k++) {
        if (i == 9) break;
        a[i] += 2;
    }
#pragma endscop
    return k;
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 4, 7, 8, 9, 12, 20};
    for (int t = 0; t < 9; t++) {
        for (int i = 0; i < M; i++) a[i] = i % 7, b[i] = i, x[i] = i % 5;
        int left = effects(sizes[t]);
        types(sizes[t], sizes[t] + 4294967296l * t);
        left = 100 * left + early(sizes[t]);
        double s = left;
        for (int i = 0; i < M; i++) s = s * 0.75 + a[i] + x[i] + b[i] % 1000003;
        printf("%d %.17g\n", sizes[t], s);
    }
    return 0;
}
