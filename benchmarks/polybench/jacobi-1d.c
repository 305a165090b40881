/*
 * Jacobi iteration with the 3-point stencil on a line, two steps per time step:
 *
 *     B(i) = (A(i-1) + A(i) + A(i+1)) / 3,  then A from B likewise
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: TSTEPS time steps, A and B have N elements.
 */

void kernel_jacobi_1d(int TSTEPS, int N, double A[N], double B[N])
{
    int t, i;

#pragma scop
    for (t = 0; t < TSTEPS; t++) {
        for (i = 1; i < N - 1; i++)
            B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (i = 1; i < N - 1; i++)
            A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
#pragma endscop
}

void kernel_jacobi_1d_init(int TSTEPS, int N, double A[N], double B[N])
{
    (void)TSTEPS;

    for (int i = 0; i < N; i++)
        A[i] = (double)((37 * i + 1) % 1009) / 1009.0;
    for (int i = 0; i < N; i++)
        B[i] = (double)((29 * i + 8) % 1009) / 1009.0;
}
