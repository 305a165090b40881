static void swap(double **x, double **y) { double *t = *x; *x = *y; *y = t; }
double a[90], b[90][90];
void f(int n)
{
    int i, j;
    double *p = a, *q = b[0];
#pragma scop
    for (i = 0; i < n; i++)
        swap(&p, &q);
#pragma endscop
}
