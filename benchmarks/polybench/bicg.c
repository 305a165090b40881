/*
 * The two matrix-vector products of the biconjugate gradient method:
 *
 *     s = A^T r,  q = A p
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is N x M, s and p have M elements, q and r have N.
 */

void kernel_bicg(int M, int N, double A[N][M], double s[M], double q[N], double p[M],
                 double r[N])
{
    int i, j;

#pragma scop
    for (i = 0; i < M; i++)
        s[i] = 0.0;
    for (i = 0; i < N; i++) {
        q[i] = 0.0;
        for (j = 0; j < M; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
#pragma endscop
}

void kernel_bicg_init(int M, int N, double A[N][M], double s[M], double q[N],
                      double p[M], double r[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        s[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        q[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        p[i] = (double)((23 * i + 22) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        r[i] = (double)((89 * i + 29) % 1009) / 1009.0;
}
