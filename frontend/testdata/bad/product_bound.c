double a[90], b[90][90];
void f(int n)
{
    int i, j = n++;
#pragma scop
    if (n > 3) for (i = 0; i < n * n; i++)
        a[0] += i;
#pragma endscop
}
