double a[90], b[90][90];
double *f(int n, double *p)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        *p++ = 0;
#pragma endscop
    return p;
}
