double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = i; j < n; j++)
            a[j] = 0;
#pragma endscop
    a[0] = i + j;
#pragma scop
    a[1] = 0;
#pragma endscop
}
