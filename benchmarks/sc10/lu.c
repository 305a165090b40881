/*
 * LU decomposition without pivoting, in place, pivot by pivot:
 *
 *     A = L U,  L lower triangular, U upper triangular with a unit diagonal
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: A is N x N.  The data are diagonally dominant, so that no pivot is
 * small.
 */

void kernel_lu(int N, double A[N][N])
{
    int i, j, k;

#pragma scop
    for (k = 0; k < N; k++) {
        for (j = k + 1; j < N; j++)
            A[k][j] = A[k][j] / A[k][k];
        for (i = k + 1; i < N; i++)
            for (j = k + 1; j < N; j++)
                A[i][j] = A[i][j] - A[i][k] * A[k][j];
    }
#pragma endscop
}

void kernel_lu_init(int N, double A[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        A[i][i] = N + 1.0;
}
