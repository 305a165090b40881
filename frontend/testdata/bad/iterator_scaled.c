double a[90];
int f(int n)
{
    int i;
#pragma scop
    for (i = 0; i + i / 4 < n; i++)
        a[i] = 1;
#pragma endscop
    return i;
}
