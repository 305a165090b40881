/*
 * Levinson and Durbin's recursion: solves the Yule-Walker equations
 *
 *     T y = -r,  T(i,i) = 1 and T(i,j) = r(|i-j|-1), the symmetric Toeplitz matrix
 *
 * Step k extends the solution y of the first k equations to the next one by
 * y + alpha (y backwards), which is built in z.
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: the vectors have N elements.  Without equations (N = 0) there is nothing
 * to do, and the first element of y would not exist.  The data are small against
 * 1/N, so that T is diagonally dominant and no divisor is near 0.
 */

void kernel_durbin(int N, double r[N], double y[N], double z[N])
{
    int i, k;
    double alpha, beta, sum;

    if (N < 1)
        return;

#pragma scop
    y[0] = -r[0];
    beta = 1.0;
    alpha = -r[0];
    for (k = 1; k < N; k++) {
        beta = (1.0 - alpha * alpha) * beta;
        sum = 0.0;
        for (i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}

void kernel_durbin_init(int N, double r[N], double y[N], double z[N])
{
    for (int i = 0; i < N; i++)
        r[i] = (double)((37 * i + 1) % 1009) / 1009.0 / (2.0 * N);
    for (int i = 0; i < N; i++)
        y[i] = (double)((29 * i + 8) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        z[i] = (double)((71 * i + 15) % 1009) / 1009.0;
}
