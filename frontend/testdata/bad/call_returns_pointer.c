static double *first(double *x)
{
    while (*x < 0)
        x++;
    return x;
}
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = *first(a);
#pragma endscop
}
