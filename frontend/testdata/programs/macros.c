/* Macros of several statements, written as do … while (0). */
#include <stdio.h>
#define N 24
#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)
#define SWAP_AND_COUNT(a, b)      \
    do {                          \
        if ((a) != (b)) {         \
            SWAP(a, b);           \
            swaps++;              \
        }                         \
    } while (0)

static int A[N][N], row[N];

int main(void)
{
    int swaps = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = i * N + j;
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            SWAP(A[i][j], A[j][i]);
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < N; i++) {
            do {
                row[i] += A[t][i];
                row[i - 1] -= row[i] / 2;
            } while (0);
            if (A[i][t] > 20)
                SWAP_AND_COUNT(row[i], A[i][t]);
        }
#pragma endscop
    printf("%d\n", swaps);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d %d\n", A[i][j], row[i]);
    return 0;
}
