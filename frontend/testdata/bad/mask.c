double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    if (n > 3) for (i = 0; i < (n & 6); i++)
        a[i] = 0;
#pragma endscop
}
