double a[90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++)
            a[i * (i + 1) / 2 + j] = 0;
#pragma endscop
}
