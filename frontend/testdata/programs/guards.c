/* continue at the ends of conditions. */
#include <stdio.h>
#define N 27
#define SKIP(c) if (c) continue
static double a[N][N], b[N], most;

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 7 + j * 5) % 19;
#pragma scop
    for (int i = 0; i < N; i++) {
        b[i] = 0;
        for (int j = 0; j < N; j++) {
            if (i == j) continue;
            if (j % 3 == 1 || j > N - 3) { continue; }
            double d = a[i][j] - a[j][i];
            if (d < 0)
                continue; /* skipped */
            if (d > 15) {
                b[i] -= 1;
                continue;
            }
            b[i] += d;
        }
        if (i < 3) {
            b[i] *= 0.5;
            for (int k = 0; k < 2; k++) {
                if (k == i) continue;
                b[i] += k;
            }
            continue;
        }
        b[i] += b[i - 1];
        SKIP(i % 2);
        most = b[i] > most ? b[i] : most;
    }
#pragma endscop
    double s = most;
    for (int i = 0; i < N; i++)
        s = 0.75 * s + b[i];
    printf("%.17g\n", s);
    return 0;
}
