/* Names that mean something to the polyhedral library, or that clash once the region's variables stand in one block. */
#include <stdio.h>
#define N 50
static double größe[N], min[N], max[N][N], exists[N], t1[N], c0[N];
static long mod(long floor) { return floor * 2; }
static double run(int and, int infty, double or[])
{
    double not = 0.5, rat = 0;
#pragma scop
    for (int implies = 0; implies < and; implies++) {
        größe[implies] = min[implies] = not * implies;
        for (int NaN = 0; NaN < infty; NaN++) {
            double and = max[implies][NaN] + 1;
            max[implies][NaN] = and * min[implies];
        }
    }
    for (int i = 0; i < and; i++) {
        float t = (float) i / 3;
        exists[i] = or[i] + t;
    }
    for (int i = 0; i < infty; i++) {
        long t = mod(i);
        {
            double t = 0.5;
            c0[i] = t;
        }
        t1[i] += t / 3 + exists[i];
        rat += t1[i];
    }
#pragma endscop
    return rat;
}
int main(void)
{
    double values[N];
    for (int i = 0; i < N; i++) {
        values[i] = i * 0.125;
        for (int j = 0; j < N; j++)
            max[i][j] = i - j;
    }
    printf("%a\n", run(N, N - 1, values));
    for (int i = 0; i < N; i++)
        printf("%a %a %a %a %a %a\n", größe[i], min[i], max[i][N / 2], exists[i], t1[i], c0[i]);
    return 0;
}
