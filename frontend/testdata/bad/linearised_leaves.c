double a[90];
void f(int n, unsigned m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = a[i * n + j + 1];
#pragma endscop
}
