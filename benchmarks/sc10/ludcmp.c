/*
 * Solves a system of linear equations by LU decomposition without pivoting; the
 * equations are numbered from 0 to N:
 *
 *     a = L U in place,  L lower triangular with a unit diagonal, U upper
 *     triangular;  b(0) = 1;  L y = b,  U x = y
 *
 * Column i of L is followed by row i + 1 of U; the sums are gathered in w.
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: a is (N+1) x (N+1), the vectors have N+1 elements.  The data are
 * diagonally dominant, so that no pivot is small.
 */

void kernel_ludcmp(int N, double a[N + 1][N + 1], double b[N + 1], double x[N + 1],
                   double y[N + 1])
{
    int i, j, k;
    double w;

#pragma scop
    b[0] = 1.0;
    for (i = 0; i < N; i++) {
        for (j = i + 1; j <= N; j++) {
            w = a[j][i];
            for (k = 0; k < i; k++)
                w = w - a[j][k] * a[k][i];
            a[j][i] = w / a[i][i];
        }
        for (j = i + 1; j <= N; j++) {
            w = a[i + 1][j];
            for (k = 0; k <= i; k++)
                w = w - a[i + 1][k] * a[k][j];
            a[i + 1][j] = w;
        }
    }
    y[0] = b[0];
    for (i = 1; i <= N; i++) {
        w = b[i];
        for (j = 0; j < i; j++)
            w = w - a[i][j] * y[j];
        y[i] = w;
    }
    x[N] = y[N] / a[N][N];
    for (i = 0; i <= N - 1; i++) {
        w = y[N - 1 - i];
        for (j = N - i; j <= N; j++)
            w = w - a[N - 1 - i][j] * x[j];
        x[N - 1 - i] = w / a[N - 1 - i][N - 1 - i];
    }
#pragma endscop
}

void kernel_ludcmp_init(int N, double a[N + 1][N + 1], double b[N + 1], double x[N + 1],
                        double y[N + 1])
{
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++)
            a[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i <= N; i++)
        a[i][i] = N + 2.0;
    for (int i = 0; i <= N; i++)
        b[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i <= N; i++)
        x[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i <= N; i++)
        y[i] = (double)((23 * i + 22) % 1009) / 1009.0;
}
