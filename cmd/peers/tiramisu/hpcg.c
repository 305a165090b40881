/*
 * What Tiramisu's cg computes, a part of HPCG: w = x + beta y, the product of a matrix in compressed rows
 * with w, and the sum of the products of both vectors. The matrix here has 27 numbers in each row, at
 * the distances of HPCG's grid of 104 x 104 x 104 points, around its end.
 */

void kernel_hpcg(int M, int NONZERO, double beta, double w[M], double product[M], double sum[1], double x[M],
                 double y[M], int row[M + 1], int column[NONZERO], double value[NONZERO])
{
    int i, j;

#pragma scop
    for (i = 0; i < M; i++)
        w[i] = x[i] + beta * y[i];
    for (i = 0; i < M; i++) {
        double own = product[i];
        for (j = row[i]; j < row[i + 1]; j++)
            own += value[j] * w[column[j]];
        product[i] = own;
    }
    for (i = 0; i < M; i++)
        sum[0] += product[i] * w[i];
#pragma endscop
}

void kernel_hpcg_init(int M, int NONZERO, double beta, double w[M], double product[M], double sum[1], double x[M],
                      double y[M], int row[M + 1], int column[NONZERO], double value[NONZERO])
{
    (void)beta, (void)NONZERO;
    sum[0] = 0.0;
    for (int i = 0; i < M; i++) {
        w[i] = (double)((37 * (i % 1009) + 1) % 1009) / 1009.0;
        product[i] = (double)((29 * (i % 1009) + 8) % 1009) / 1009.0;
        x[i] = (double)((71 * (i % 1009) + 15) % 1009) / 1009.0;
        y[i] = (double)((19 * (i % 1009) + 22) % 1009) / 1009.0;
        row[i] = 27 * i;
        for (int k = 0; k < 27; k++) {
            int distance = (k % 3 - 1) + 104 * (k / 3 % 3 - 1) + 10816 * (k / 9 - 1);

            column[27 * i + k] = ((i + distance) % M + M) % M;
            value[27 * i + k] = k == 13 ? 26.0 : -1.0;
        }
    }
    row[M] = 27 * M;
}
