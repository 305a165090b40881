double a[90], b[90][90];
void f(int n, double (*g)(int))
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = g(i);
#pragma endscop
}
