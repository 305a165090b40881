#define OMP(x) _Pragma(#x)
void f(int n, double a[n], double b[n])
{
#pragma omp single
#pragma scop
    for (int i = 0; i < n; i++) a[i] = b[i];
    OMP(omp master) a[0] = 1;
    _Pragma("omp critical(name)") a[1] = 1;
    #pragma omp \
        sections
    { a[2] = 1; }
    #pragma omp task
    a[3] = 1;
    #pragma omp taskloop
    for (int i = 4; i < n; i++) a[i] = 2;
    #pragma omp ordered
    a[5] = 1;
    #pragma omp atomic
    a[6] += 1;
    #pragma omp masked
    a[7] = 1;
#pragma endscop
}
