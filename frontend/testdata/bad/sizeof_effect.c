double a[90];
int b[90];
int f(int n)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = sizeof(b[k++]);
#pragma endscop
    return k;
}
