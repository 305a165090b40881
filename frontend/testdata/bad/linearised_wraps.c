double a[90];
void f(unsigned n)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            a[i * n + j] = 0;
#pragma endscop
}
