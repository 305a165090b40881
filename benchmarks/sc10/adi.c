/*
 * Elimination and substitution along the rows, then along the columns, as in
 * the method of alternating directions:
 *
 *     X(i,j) = X(i,j) - X(i,j-1) A(i,j) / B(i,j-1)
 *     B(i,j) = B(i,j) - A(i,j)^2 / B(i,j-1)
 *     X(i,N-1) = X(i,N-1) / B(i,N-1)
 *     X(i,j) = (X(i,j) - X(i,j-1) A(i,j-1)) / B(i,j-1) for j = N-2, ..., 1
 *
 * then with the roles of i and j exchanged, but with B(i,j) as the last divisor.
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: TSTEPS time steps, X, A and B are N x N.  Each step makes B smaller; A
 * is small against 1 / TSTEPS, so that B stays away from 0.
 */

void kernel_adi(int TSTEPS, int N, double X[N][N], double A[N][N], double B[N][N])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < TSTEPS; t++) {
        for (i = 0; i < N; i++)
            for (j = 1; j < N; j++) {
                X[i][j] = X[i][j] - X[i][j - 1] * A[i][j] / B[i][j - 1];
                B[i][j] = B[i][j] - A[i][j] * A[i][j] / B[i][j - 1];
            }
        for (i = 0; i < N; i++)
            X[i][N - 1] = X[i][N - 1] / B[i][N - 1];
        for (i = 0; i < N; i++)
            for (j = 0; j < N - 2; j++)
                X[i][N - j - 2] = (X[i][N - 2 - j] - X[i][N - 3 - j] * A[i][N - j - 3]) / B[i][N - 3 - j];
        for (i = 1; i < N; i++)
            for (j = 0; j < N; j++) {
                X[i][j] = X[i][j] - X[i - 1][j] * A[i][j] / B[i - 1][j];
                B[i][j] = B[i][j] - A[i][j] * A[i][j] / B[i - 1][j];
            }
        for (j = 0; j < N; j++)
            X[N - 1][j] = X[N - 1][j] / B[N - 1][j];
        for (i = 0; i < N - 2; i++)
            for (j = 0; j < N; j++)
                X[N - 2 - i][j] = (X[N - 2 - i][j] - X[N - i - 3][j] * A[N - 3 - i][j]) / B[N - 2 - i][j];
    }
#pragma endscop
}

void kernel_adi_init(int TSTEPS, int N, double X[N][N], double A[N][N], double B[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            X[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0 / (1.0 + TSTEPS);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            B[i][j] = 1.5 + (double)((71 * i + 19 * j + 15) % 1009) / 1009.0;
}
