/*
 * Nussinov's prediction of the folding of an RNA: the largest number of pairs of
 * matching bases, none crossing another and none of neighbours, in the part of the
 * sequence from base i to base j.  Bases match when their numbers add to 3:
 *
 *     table(i,j) = max(table(i,j-1), table(i+1,j), table(i+1,j-1) + match(i,j),
 *                      table(i,k) + table(k+1,j) for i < k < j)
 *
 * where match counts only for i < j - 1, and table is 0 before.
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: seq has N elements of type char, 0 to 3; table is N x N, of type int, and
 * only its part above the diagonal is used.
 */

void kernel_nussinov(int N, char seq[N], int table[N][N])
{
    int i, j, k;

#pragma scop
    for (i = N - 1; i >= 0; i--)
        for (j = i + 1; j < N; j++) {
            if (j - 1 >= 0)
                table[i][j] = table[i][j] >= table[i][j - 1] ? table[i][j] : table[i][j - 1];
            if (i + 1 < N)
                table[i][j] = table[i][j] >= table[i + 1][j] ? table[i][j] : table[i + 1][j];
            if (j - 1 >= 0 && i + 1 < N) {
                if (i < j - 1)
                    table[i][j] = table[i][j] >= table[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? 1 : 0)
                                      ? table[i][j]
                                      : table[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? 1 : 0);
                else
                    table[i][j] = table[i][j] >= table[i + 1][j - 1] ? table[i][j] : table[i + 1][j - 1];
            }
            for (k = i + 1; k < j; k++)
                table[i][j] = table[i][j] >= table[i][k] + table[k + 1][j] ? table[i][j]
                                                                           : table[i][k] + table[k + 1][j];
        }
#pragma endscop
}

void kernel_nussinov_init(int N, char seq[N], int table[N][N])
{
    for (int i = 0; i < N; i++)
        seq[i] = (char)((37 * i + 1) % 1009 % 4);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            table[i][j] = 0;
}
