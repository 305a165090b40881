/*
 * Cholesky decomposition, in place:
 *
 *     A = L L^T,  A symmetric and stored as its lower triangle, L lower triangular
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is N x N and only its lower triangle is used.  The data are
 * diagonally dominant, so that the matrix is positive definite.
 */
#include <math.h>

void kernel_cholesky(int N, double A[N][N])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < N; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
#pragma endscop
}

void kernel_cholesky_init(int N, double A[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        A[i][i] = N + 1.0;
}
