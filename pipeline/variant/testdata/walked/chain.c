/* The cheapest order of a chain of products of matrices, bottom up, as textbooks have it. */
void chain(int n, double cost[n][n], const double size[n + 1])
{
#pragma scop
    for (int length = 2; length <= n; length++)
        for (int i = 0; i <= n - length; i++) {
            cost[i][i + length - 1] = 1e300;
            for (int k = i; k < i + length - 1; k++)
                cost[i][i + length - 1] = cost[i][i + length - 1] < cost[i][k] + cost[k + 1][i + length - 1] + size[i] * size[k + 1] * size[i + length]
                    ? cost[i][i + length - 1] : cost[i][k] + cost[k + 1][i + length - 1] + size[i] * size[k + 1] * size[i + length];
        }
#pragma endscop
}
