double a[90], b[90][90];
void f(int n, int m)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        a[2 * n / (i + 1)] = a[(i + 1) % m];
#pragma endscop
}
