double a[90][90];
static int i, j;
static int last(void)
{
    return j;
}
int f(int n)
{
    static int k;
    int before = k;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            for (k = 0; k < n; k++)
                a[i][j] += k;
#pragma endscop
    return before + last();
}
