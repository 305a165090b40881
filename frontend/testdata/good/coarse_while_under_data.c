double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        if (a[i] > 0)
            while (a[i] > 1)
                a[i] /= 2;
#pragma endscop
}
