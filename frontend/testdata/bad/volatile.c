double a[90];
volatile double v;
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = v;
#pragma endscop
}
