/* A recursive filter down the columns of a picture, and up again, several times. */
void columns(int steps, int n, double picture[n][n], double a)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int j = 0; j < n; j++) {
            for (int i = 1; i < n; i++)
                picture[i][j] += a * picture[i - 1][j];
            for (int i = 1; i < n; i++)
                picture[n - 1 - i][j] += a * picture[n - i][j];
        }
#pragma endscop
}
