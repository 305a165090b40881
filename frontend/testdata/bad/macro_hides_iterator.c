#define HERE a[i]
double a[90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        HERE = 0;
#pragma endscop
}
