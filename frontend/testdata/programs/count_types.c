/* What loops leave and count where their bounds are unsigned, or narrower than their iterators, and where what is counted names them. */
#include <stdio.h>
#define M 64
static double a[M];
static int b[M] = {[1] = 0};

static unsigned below(unsigned n)
{
    unsigned i;
#pragma scop
    for (i = 0; i + 3 < n; i++)
        a[i] += 1;
    b[0] = i;
    b[1] = i + 7;
#pragma endscop
    return i;
}

static long wider(int first, unsigned n)
{
    long i, j;
#pragma scop
    for (i = first; i < n; i++)
        a[i + 10] += 1;
    b[2] = i;
    for (j = -3; j < n; j++)
        a[j + 10] += 2;
#pragma endscop
    return 10 * i + j;
}

static int down(int n, unsigned m)
{
    int k = 0, l = 0;
#pragma scop
    for (unsigned i = m; i > 0; i--) {
        b[i] += k;
        a[k] += i;
        k++;
    }
    for (int i = 0; i < n; i++)
        for (unsigned j = m; j > 0; j--) {
            b[i] += l;
            a[l] += j;
            l++;
        }
#pragma endscop
    return 100 * k + l;
}

static long less(int n, unsigned by)
{
    long k = 50;
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] += k;
        k -= by;
    }
#pragma endscop
    return k;
}

static int named(int n)
{
    int k = 0, l = 0, i = 2;
#pragma scop
    for (i = 0; i < n; i++) {
        a[k] += i;
        k += i;
    }
    b[3] = i;
    for (i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            a[l] += i;
            l++;
        }
    b[4] = i;
#pragma endscop
    return 10000 * k + 100 * l + i;
}

static long front(int n)
{
    unsigned last = n - 5;
    long count = last + 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] += last % 9;
        if (i < count) b[i] += 1;
    }
#pragma endscop
    return count;
}

int main(void)
{
    for (int n = 0; n < 9; n++) {
        for (int i = 0; i < M; i++) a[i] = i % 7, b[i] = i % 5;
        double s = below(n);
        for (int first = -4; first < 3; first++) s += wider(first, n);
        s += down(7 - n, n);
        s += less(n, 3);
        s += named(n);
        s += front(n) % 1000;
        for (int i = 0; i < M; i++) s = s * 0.75 + a[i] + b[i];
        printf("%d %.17g\n", n, s);
    }
    return 0;
}
