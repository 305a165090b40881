/* Rows of which only the caller knows that they are long enough. */
void f(int n, int m, const double *restrict a, int lda, double *restrict b, int ldb)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j * ldb + i] = a[i * lda + j] + a[(n - 1 - i) * lda + m - 1 - j];
#pragma endscop
}
