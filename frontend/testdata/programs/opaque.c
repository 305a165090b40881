/* What depends on data: conditions, bounds and subscripts. */
#include <stdio.h>
#define N 48
static double x[N], y[N], z[N], value[N * 4], histogram[8];
static int start[N + 1], column[N * 4], index_of[N];
static void sparse(int n)
{
    int j;
#pragma scop
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++) {
            y[i] = 0;
            for (int j = start[i]; j < start[i + 1]; j++)
                y[i] += value[j] * x[column[j]];
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * y[i] + 1;
    }
    for (int i = 0; i < n; i++)
        for (j = start[i]; j < start[i + 1]; j++)
            z[i] += value[j];
    for (int i = 0; i < n; i++) {
        if (x[i] > 2) {
            double t = 0;
            for (int j = 0; j < i; j++) {
                double u = x[j];
                t += u * u;
            }
            z[i] = t;
        } else if (x[i] > 1.5)
            z[i] = -1;
    }
    for (int i = 0; i < n; i++)
        histogram[(int) z[i] & 7]++;
    for (int i = 0; i < n; i++)
        y[index_of[i]] += z[i];
    for (int i = 0; i < n; i++)
        y[i] = y[i] < 0 ? x[index_of[i]] : index_of[i] > 3 && z[i] > 0 ? z[i] : y[i];
#pragma endscop
}
int main(void)
{
    for (int i = 0; i < N; i++) {
        start[i + 1] = start[i] + i % 4;
        index_of[i] = (i * 31) % N;
        x[i] = i % 6 * 0.5;
    }
    for (int k = 0; k < N * 4; k++) {
        value[k] = 1.0 / (k % 9 + 1);
        column[k] = (k * 7) % N;
    }
    sparse(N);
    for (int i = 0; i < N; i++)
        printf("%a %a %a\n", x[i], y[i], z[i]);
    for (int i = 0; i < 8; i++)
        printf("%a\n", histogram[i]);
    return 0;
}
