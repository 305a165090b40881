double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (unsigned u = 9; u >= 0; u--)
        a[u] = 0;
#pragma endscop
}
