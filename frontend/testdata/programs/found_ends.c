/* Ends of loops that are found in front of the region, or with the loop. */
#include <stdio.h>
#define N 200
static double a[N];
static int p[N], path[N];

static int roots(int n, int k)
{
    int i, j, w = k * 3;
#pragma scop
    for (i = 2; i * i < n; i++)
        a[i] += i;
    for (j = n - 1; j * (j + 1) / 2 > w * k && j > 0; j -= 2)
        a[j] -= 2 * i;
    for (int l = 0; 1 << l < n; ++l)
        p[l] += l;
    for (i = k; i * i * k < n - 1; i += 3)
        a[i % 7] += 1;
#pragma endscop
    return i + 100 * j;
}

/* Nothing says in front of it where such a loop ends. */
static int inside(int n)
{
    int i, last = 0;
#pragma scop
    for (int k = 0; k < n; k++) {
        int prime = k > 1;
        for (i = 2; i * i <= k; i++)
            if (k % i == 0)
                prime = 0;
        p[k] += prime;
    }
    if (n > 1000)
        for (i = 1; i * (n - 20) < 500; i++)
            last += i;
#pragma endscop
    return last;
}

static int way(int n)
{
    int i, j, steps = 0;
#pragma scop
    for (i = n - 1, j = n - 1; i >= 0 && j >= 0;) {
        path[steps++] = p[i] + j;
        if (p[i] > p[j])
            i--;
        else
            j -= 2;
    }
    for (int k = 0; k < n; k++)
        a[k] += path[k];
#pragma endscop
    return steps;
}

int main(void)
{
    double s = 0;
    for (int n = 0; n < 90; n = 2 * n + 1) {
        s += roots(n, 1 + n % 3) + inside(n);
        s = 0.5 * s + way(n);
    }
    s += inside(20);
    for (int i = 0; i < N; i++)
        s = 0.98 * s + a[i] * (i + 1) + p[i];
    printf("%.17g\n", s);
    return 0;
}
