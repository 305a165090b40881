double a[90];
void f(int n)
{
#pragma scop
    for (unsigned i = 0; i + 4294967295u < 7; i++)
        a[i] = 2;
#pragma endscop
}
