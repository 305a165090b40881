/* goto to labels behind it: out of loops, to the ends of their bodies, past what is behind an if, one inside another. */
#include <stdio.h>
#define N 29
#define LEAVE(c, to) if (c) goto to
static double a[N][N], b[N], c[N], most;
static int kind[N], at = -1;

int main(void)
{
    int i, j;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            a[i][j] = (i * 7 + j * 5) % 19 - 6;
    for (i = 0; i < N; i++)
        kind[i] = (i * 11) % 5;
#pragma scop
    for (i = 0; i < N; i++) {
        if (a[i][0] < 0)
            goto negative;
        b[i] = a[i][0] * 2;
        goto both;
negative:
        b[i] = a[i][0] - 1;
        c[i] = 1;
both:
        c[i] += b[i];
    }
    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++) {
            if (j == i)
                goto next;
            if (a[i][j] > 9) {
                a[i][j] -= 3;
                goto next;
            }
            if (i > 3) {
                if (j % 4 == 1)
                    goto next;
                a[i][j] += 0.5;
            }
            a[i][j] *= 0.75;
next:       ;
        }
        for (j = 0; j < N; j++) {
            if (j > i + 3)
                goto behind;
            b[i] += a[i][j];
        }
behind:
        LEAVE(kind[i] == 1, one);
        if (kind[i] == 3) {
            c[i] -= 2;
            goto last;
        }
        c[i] += 7;
        goto last;
one:    c[i] *= 3;
        if (kind[i] < at)
            goto last;
        c[i] -= 0.5;
last:   c[i] += 0.25;
    }
    for (i = 0; i < N; i++)
        if (c[i] > 40) {
            at = i;
            most = c[i];
            goto found;
        }
found:
    b[0] += most;
#pragma endscop
    double s = most + at;
    for (i = 0; i < N; i++) {
        s = 0.75 * s + b[i] + c[i];
        for (j = 0; j < N; j++)
            s = 0.875 * s + a[i][j];
    }
    printf("%.17g\n", s);
    return 0;
}
