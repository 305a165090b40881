/* Multiplies two matrices of the size that is its argument. Prints a sum over the
   result and, on stderr, the time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "product.h"

int main(int count, char **words)
{
    const int n = count > 1 ? atoi(words[1]) : 1000;
    double (*A)[n] = malloc(n * sizeof *A), (*B)[n] = malloc(n * sizeof *B), (*C)[n] = malloc(n * sizeof *C);
    struct timespec start, end;
    double sum = 0;
    if (n < 1 || !A || !B || !C)
        return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = i % 7 + 1;
            B[i][j] = j % 5 - 2;
        }
    timespec_get(&start, TIME_UTC);
    product(n, A, B, C);
    timespec_get(&end, TIME_UTC);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += (i + 2 * j) % 11 * C[i][j];
    printf("%.0f\n", sum);
    fprintf(stderr, "%.3f s\n", (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec));
    free(A);
    free(B);
    free(C);
    return 0;
}
