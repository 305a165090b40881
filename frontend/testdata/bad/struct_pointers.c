struct row { double *x; };
struct row rows[90];
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        rows[i].x[0] = a[i];
#pragma endscop
}
