/*
 * Solves a system of linear equations by LU decomposition without pivoting:
 *
 *     A = L U in place,  L lower triangular with a unit diagonal, U upper
 *     triangular;  L y = b,  U x = y
 *
 * The sums are gathered in w.
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is N x N, the vectors have N elements.  The data are diagonally
 * dominant, so that no pivot is small.
 */

void kernel_ludcmp(int N, double A[N][N], double b[N], double x[N], double y[N])
{
    int i, j, k;
    double w;

#pragma scop
    for (i = 0; i < N; i++) {
        for (j = 0; j < i; j++) {
            w = A[i][j];
            for (k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (j = i; j < N; j++) {
            w = A[i][j];
            for (k = 0; k < i; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }
    for (i = 0; i < N; i++) {
        w = b[i];
        for (j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }
    for (i = N - 1; i >= 0; i--) {
        w = y[i];
        for (j = i + 1; j < N; j++)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
#pragma endscop
}

void kernel_ludcmp_init(int N, double A[N][N], double b[N], double x[N], double y[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        A[i][i] = N + 1.0;
    for (int i = 0; i < N; i++)
        b[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        x[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        y[i] = (double)((23 * i + 22) % 1009) / 1009.0;
}
