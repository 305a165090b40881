/* Two matrix products; typedefs and constants by macros. */
#define ALPHA 1.5
typedef double real;
void twomm(int n, int m, real beta, real A[n][m], real B[m][n], real C[restrict n][n], real D[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < m; ++k)
                C[i][j] += ALPHA * A[i][k] * B[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
        {
            D[i][j] *= beta;
            for (int k = 0; k < n; ++k)
                D[i][j] += C[i][k] * C[k][j];
        }
#pragma endscop
}
void twomm_init(int n, int m, double beta, double A[n][m], double B[m][n], double C[n][n], double D[n][n])
{
    (void)n, (void)m, (void)beta, (void)A, (void)B, (void)C, (void)D;
}
