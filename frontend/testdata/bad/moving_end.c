double a[90], b[90][90];
int f(int n)
{
    int k;
#pragma scop
    int j = 2;
    for (j = 0; j + 3 < n; j += 4)
        a[j] += 1;
    for (; j < n; j++)
        a[j] += 2;
    for (k = 0, j = n - 1; 2 * k < j; k++, j--)
        a[j] += 3;
#pragma endscop
    return k;
}
