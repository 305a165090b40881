/*
 * QR decomposition by the modified Gram-Schmidt process:
 *
 *     A = Q R,  the columns of Q orthonormal, R upper triangular
 *
 * Each column of A, once normed, is subtracted from the columns after it, so that
 * A ends as the columns before they were normed.
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: A and Q are M x N, R is N x N.  The data have a large diagonal, so that
 * the columns are far from dependent.
 */
#include <math.h>

void kernel_gramschmidt(int M, int N, double A[M][N], double R[N][N], double Q[M][N])
{
    int i, j, k;
    double nrm;

#pragma scop
    for (k = 0; k < N; k++) {
        nrm = 0.0;
        for (i = 0; i < M; i++)
            nrm += A[i][k] * A[i][k];
        R[k][k] = sqrt(nrm);
        for (i = 0; i < M; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (j = k + 1; j < N; j++) {
            R[k][j] = 0.0;
            for (i = 0; i < M; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (i = 0; i < M; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
#pragma endscop
}

void kernel_gramschmidt_init(int M, int N, double A[M][N], double R[N][N], double Q[M][N])
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0 + (i == j ? N : 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            R[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            Q[i][j] = (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
}
