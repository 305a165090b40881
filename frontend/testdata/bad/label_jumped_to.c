double b[9];
void f(int n)
{
#pragma scop
again:
    for (int i = 0; i < 9; i++)
        b[i] = n;
#pragma endscop
    if (n-- > 0)
        goto again;
}
