double a[90];
void f(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (i + 4294967290u < 4)
            a[i] = 1;
    for (unsigned i = 0; i + 4294967295u < 7; i++)
        a[i] = 2;
#pragma endscop
}
