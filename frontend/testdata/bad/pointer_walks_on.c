void f(int n, double *a)
{
    double *p = a;
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            *p++ += t;
#pragma endscop
    }
}
