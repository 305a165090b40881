/* Variables declared with a value that a while, a do or a switch uses before a loop steps them. */
#include <stdio.h>

static void kernel(int n, double a[n], double b[n][n], int c[n])
{
#pragma scop
    int i = n;
    while (i > 0) {
        i--;
        a[i] += 0.5;
    }
    for (i = n; i; i--)
        a[i - 1] *= 2;
    int j = 2, s = 0;
    do {
        s += c[j];
        j++;
    } while (j < n && c[j] > 3);
    for (j = 0; j < n; j++)
        a[j] += s;
    for (int t = 0; t < n; t++) {
        int k = t, l = n;
        while (k > 0 && c[k] < 4)
            k /= 2;
        b[t][k] += 1;
        while (l > t) {
            l -= 3;
            a[t] += l;
        }
        for (k = 0; k < n; k++)
            b[t][k] *= 2;
        for (l = n - 1; l >= 0; l--)
            b[t][l] += a[t];
    }
#pragma endscop
}

int main(void)
{
    enum { N = 11 };
    double a[N], b[N][N];
    int c[N];
    for (int i = 0; i < N; i++) {
        a[i] = i * 0.25;
        c[i] = i * 5 % 7;
        for (int j = 0; j < N; j++)
            b[i][j] = i - j;
    }
    kernel(N, a, b, c);
    for (int i = 0; i < N; i++) {
        printf("%.17g\n", a[i]);
        for (int j = 0; j < N; j++)
            printf("%.17g\n", b[i][j]);
    }
    return 0;
}
