/* One subscript that counts rows: of a matrix, and of a picture with three channels and a border. */
void rows(int n, int m, double *restrict a, float *restrict p)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = a[(n - 1 - i) * m + (m - 1 - j)];
    for (int y = 1; y <= n; y++)
        for (int x = 0; x <= m; x++)
            for (int c = 0; c < 3; c++)
                p[(y * (m + 2) + x) * 3 + c] = p[3 * ((y - 1) * (m + 2) + x + 1) + 2 - c];
#pragma endscop
}
