/* Variables of the function that statements with control flow of their own set before they use
   them, or not. */
#include <stdio.h>
#define N 40
static double x[N], y[N][N], out[N];
static int kind[N];

static void private(int n, double x[], double y[][N], double out[])
{
    int i, j, k, p;
    double t, s;
#pragma scop
    for (i = 0; i < n; i++) {
        int prime = 1;
        for (p = 2; p * p <= i; p++)
            if (i % p == 0)
                prime = 0;
        t = x[i];
        while (t > 1) {
            s = t * 0.5;
            t = s - 0.1;
        }
        for (k = 0; k < n && y[i][k] > t; k++) {
            s = y[i][k];
            y[i][k] = s * 2;
        }
        j = 0;
        while (j < n && y[i][j] < x[i])
            j++;
        out[i] = j + 100 * prime + k;
    }
#pragma endscop
}

/* What an iteration leaves is read by a later one, or behind the region. */
static double passed_on(int n, double x[], double out[], int kind[])
{
    double t = 7, s = 3, last = 1, way = 2;
    int k;
#pragma scop
    for (int i = 0; i < n; i++) {
        while (x[i] > 1) {
            s = x[i] * 0.5;
            x[i] = s - 0.1;
        }
        if (x[i] > 0.5) {
            t = x[i];
            x[i] = t * t;
        }
        switch (kind[i]) {
        case 0:;
            way = x[i];
            /* fall through */
        case 1:;
            out[i] += way;
        }
        for (k = 0; x[k] > 0.25 && k < n - 1; k++)
            last = last + x[k];
        out[i] += k;
    }
#pragma endscop
    return s + t + last + way;
}

int main(void)
{
    double all = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < N; i++) {
            x[i] = (i * 7 + round) % 19 - 3;
            kind[i] = (i * 3 + round) % 4;
            for (int k = 0; k < N; k++)
                y[i][k] = (i * k + round) % 23;
        }
        private(N - round, x, y, out);
        all = 0.5 * all + passed_on(N - 2 * round, x, out, kind);
    }
    for (int i = 0; i < N; i++)
        all = 0.75 * all + x[i] + out[i] + y[i][N - 1 - i];
    printf("%.17g\n", all);
    return 0;
}
