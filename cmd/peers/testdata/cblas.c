/* The operations of CBLAS that the calls in blas/ use, as their definitions say,
 * for matrices by rows; other arguments than those in use end the program. */
#include <stdlib.h>

static void want(int given, int known)
{
    if (given != known)
        abort();
}

void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc)
{
    want(order, 101), want(ta, 111), want(tb, 111);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * lda + l] * b[l * ldb + j];
            c[i * ldc + j] = alpha * sum + beta * c[i * ldc + j];
        }
}

void cblas_dsyr2k(int order, int uplo, int trans, int n, int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc)
{
    want(order, 101), want(uplo, 122), want(trans, 111);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * lda + l] * b[j * ldb + l] + b[i * ldb + l] * a[j * lda + l];
            c[i * ldc + j] = alpha * sum + beta * c[i * ldc + j];
        }
}

void cblas_dsyrk(int order, int uplo, int trans, int n, int k, double alpha, const double *a, int lda, double beta,
                 double *c, int ldc)
{
    cblas_dsyr2k(order, uplo, trans, n, k, alpha / 2, a, lda, a, lda, beta, c, ldc);
}

/* B = alpha A^T B with A lower triangular: element (i, l) of A^T is a[l][i]. */
void cblas_dtrmm(int order, int side, int uplo, int trans, int diag, int m, int n, double alpha, const double *a,
                 int lda, double *b, int ldb)
{
    want(order, 101), want(side, 141), want(uplo, 122), want(trans, 112), want(diag, 132);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = b[i * ldb + j];
            for (int l = i + 1; l < m; l++)
                sum += a[l * lda + i] * b[l * ldb + j];
            b[i * ldb + j] = alpha * sum;
        }
}

void cblas_dsymm(int order, int side, int uplo, int m, int n, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc)
{
    want(order, 101), want(side, 141), want(uplo, 122);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < m; l++)
                sum += (l <= i ? a[i * lda + l] : a[l * lda + i]) * b[l * ldb + j];
            c[i * ldc + j] = alpha * sum + beta * c[i * ldc + j];
        }
}
