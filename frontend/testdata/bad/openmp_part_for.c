/* Work sharing without omp parallel in the region. */
void f(int n, double a[n], double b[n])
{
    #pragma omp parallel
    {
#pragma scop
    #pragma omp for
    for (int i = 0; i < n; i++) a[i] = b[i];
    #pragma omp barrier
    #pragma omp single
    b[0] = 1;
#pragma endscop
    }
}
