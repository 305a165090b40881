double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
#pragma omp parallel for
    for (i = 0; i < n; i++)
        if (a[i] > 0) {
            int n = 3;
            a[i] = n;
        }
#pragma endscop
}
