static double down(double x) { return x > 1 ? down(x / 2) : x; }
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = down(a[i]);
#pragma endscop
}
