/*
 * A product along the last dimension of a three-dimensional array, as in
 * multiresolution analysis:
 *
 *     A(r,q,p) = sum over s of A(r,q,s) C4(s,p)
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: A is NR x NQ x NP, C4 is NP x NP, sum (one new row of A) has NP
 * elements.
 */

void kernel_doitgen(int NR, int NQ, int NP, double A[NR][NQ][NP], double C4[NP][NP],
                    double sum[NP])
{
    int r, q, p, s;

#pragma scop
    for (r = 0; r < NR; r++)
        for (q = 0; q < NQ; q++) {
            for (p = 0; p < NP; p++) {
                sum[p] = 0.0;
                for (s = 0; s < NP; s++)
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (p = 0; p < NP; p++)
                A[r][q][p] = sum[p];
        }
#pragma endscop
}

void kernel_doitgen_init(int NR, int NQ, int NP, double A[NR][NQ][NP], double C4[NP][NP],
                         double sum[NP])
{
    for (int i = 0; i < NR; i++)
        for (int j = 0; j < NQ; j++)
            for (int k = 0; k < NP; k++)
                A[i][j][k] = (double)((37 * i + 101 * j + 53 * k + 1) % 1009) / 1009.0;
    for (int i = 0; i < NP; i++)
        for (int j = 0; j < NP; j++)
            C4[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < NP; i++)
        sum[i] = (double)((71 * i + 15) % 1009) / 1009.0;
}
