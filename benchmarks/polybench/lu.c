/*
 * LU decomposition without pivoting, in place, row by row:
 *
 *     A = L U,  L lower triangular with a unit diagonal, U upper triangular
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is N x N.  The data are diagonally dominant, so that no pivot is
 * small.
 */

void kernel_lu(int N, double A[N][N])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < N; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (j = i; j < N; j++)
            for (k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
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
