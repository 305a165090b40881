double a[90], b[90][90];
void f(unsigned m)
{
    int i, j;
#pragma scop
    for (i = -1; i < m; i++)
        a[i + 1] = 0;
#pragma endscop
}
