/*
 * Solves a triangular system of equations by substitution forwards:
 *
 *     L x = b,  L lower triangular
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: L is N x N and only its lower triangle is used, the vectors have N
 * elements.  The data are diagonally dominant, so that no divisor is small.
 */

void kernel_trisolv(int N, double L[N][N], double x[N], double b[N])
{
    int i, j;

#pragma scop
    for (i = 0; i < N; i++) {
        x[i] = b[i];
        for (j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
#pragma endscop
}

void kernel_trisolv_init(int N, double L[N][N], double x[N], double b[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            L[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        L[i][i] = N + 1.0;
    for (int i = 0; i < N; i++)
        x[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        b[i] = (double)((71 * i + 15) % 1009) / 1009.0;
}
