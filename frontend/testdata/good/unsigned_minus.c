double a[90], b[90][90];
void f(unsigned m)
{
    int i, j;
#pragma scop
    for (unsigned u = 0; u < m - 1; u++)
        a[u] = 0;
#pragma endscop
}
