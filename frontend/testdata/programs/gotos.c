/* Jumps that no loop or condition says, inside one iteration of the loops around. */
#include <stdio.h>
#define N 70
static double a[N][N], b[N], c[N];

/* Several arms that meet, and loops that start again. */
static void arms(int n, int m, double a[][N], double b[])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        if (b[i] > 5)
            goto big;
        if (b[i] < 1)
            goto small;
        b[i] = 3;
        goto end;
big:    b[i] = 5;
        goto end;
small:  b[i] = 1;
end:    for (j = 0; j < m; j++)
            a[i][j] *= b[i];
        j = 0;
again:  if (a[i][j] > 5) {
            a[i][j] /= 2;
            goto again;
        }
        if (++j < m)
            goto again;
        b[i] += a[i][0];
    }
#pragma endscop
}

/* Out of two loops, to the end of a third, and past a declaration. */
static int out(int n, int m)
{
    int i, j, k, found = 0;
    double last = 0;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j < m; j++)
            for (k = 0; k < 3; k++) {
                if (a[i][j] > 4 + k)
                    goto done;
                if (a[i][j] < 1)
                    goto next;
                a[i][j] += k;
next:           ;
            }
        c[i] += 3;
        double t = c[i];
        if (t > 9)
            goto done;
        b[i] -= t;
done:   ;
    }
    for (i = 1; i < m; i++) {
        {
            if (c[i] > c[i - 1])
                goto leave;
            last = c[i];
            if (last > 3)
                goto leave;
            found++;
        }
leave:  c[i] = 0.5 * last;
    }
#pragma endscop
    return found;
}

/* The label's loop runs again and again; nothing is around. */
static double alone(double x)
{
    int steps = 0;
#pragma scop
more:
    if (x > 1) {
        x *= 0.5;
        steps++;
        goto more;
    }
    for (int i = 0; i < N; i++)
        b[i] += x + steps;
#pragma endscop
    return x;
}

int main(void)
{
    double s = 0;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < N; i++) {
            b[i] += (i * 7 + round) % 9 - 1;
            c[i] += (i * 5 + round) % 7;
            for (int j = 0; j < N; j++)
                a[i][j] += (i * j + 3 * round) % 11 - 2;
        }
        arms(N - round, N - 2 * round, a, b);
        s = 0.5 * s + out(N - 3 * round, N - round) + alone(37 * round);
    }
    for (int i = 0; i < N; i++)
        s = 0.75 * s + b[i] + c[i] + a[i][N - 1 - i];
    printf("%.17g\n", s);
    return 0;
}
