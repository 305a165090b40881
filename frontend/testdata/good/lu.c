/* In-place factorisation with triangular loops in the form of SC'10. */
void lu(int n, double A[n][n])
{
    int i, j, k;
#pragma scop
    for (k = 0; k < n; k++) {
        for (j = k + 1; j < n; j++)
            A[k][j] = A[k][j] / A[k][k];
        for (i = k + 1; i < n; i++)
            for (j = k + 1; j < n; j++)
                A[i][j] = A[i][j] - A[i][k] * A[k][j];
    }
#pragma endscop
}
