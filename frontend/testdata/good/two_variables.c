double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0, j = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
