double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    if (n > 3) for (i = 0; i < 1 << n; i++)
        a[i] = 0;
#pragma endscop
}
