union any { double *x; long l; };
union any u;
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        u.x[i] = a[i];
#pragma endscop
}
