double a[900], *p, *q;
void f(int n, int m)
{
#pragma scop
    if (n > 3) for (int i = 0; i < (n ^ m); i++)
        a[i] = 0;
    if (n > 3) for (int i = 0; i < (n | 0x155); i++)
        a[i] = 1;
#pragma endscop
}
