/*
 * The lengths of the shortest paths between all pairs of nodes, by Floyd and
 * Warshall's algorithm, in place:
 *
 *     path(i,j) = min(path(i,j), path(i,k) + path(k,j)) for k = 0, 1, ...
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: path is N x N, of type int.  The lengths are from 1 to 1009.
 */

void kernel_floyd_warshall(int N, int path[N][N])
{
    int i, j, k;

#pragma scop
    for (k = 0; k < N; k++)
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j]
                                                                  : path[i][k] + path[k][j];
#pragma endscop
}

void kernel_floyd_warshall_init(int N, int path[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            path[i][j] = (37 * i * (i % 7 + 1) + 101 * j + 1) % 1009 + 1;
}
