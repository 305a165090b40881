double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (j = 0; j < n; j++)
        for (i = 0; i < n; i += 2)
            b[j][i] = 0;
#pragma endscop
    if (n > 5)
        i = 3;
    a[0] = i;
}
