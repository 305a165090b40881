double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i += n)
        a[i] = n--;
#pragma endscop
}
