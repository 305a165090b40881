double a[90];
void f(unsigned n)
{
    unsigned i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i - 1] = 0;
#pragma endscop
}
