struct vector { double *x; };
struct vector v;
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        {
            v.x = b[i];
            v.x[0] = a[i];
        }
#pragma endscop
}
