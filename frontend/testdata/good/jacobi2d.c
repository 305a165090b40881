/* A time loop that ping-pongs between two arrays, and one that indexes by time modulo 2. */
#define N 100
static double A[N][N], B[N][N];
double C[2][N];
void jacobi(int steps)
{
    int t, i, j;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                A[i][j] = B[i][j];
    }
    for (t = 0; t < steps; t++)
        for (i = 1; i < N - 1; i++)
            C[(t + 1) % 2][i] = C[t % 2][i - 1] + C[t % 2][i + 1];
#pragma endscop
}
