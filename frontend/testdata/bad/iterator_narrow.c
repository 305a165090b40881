double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (unsigned char c = 0; c < n; c++)
        a[c] = 0;
#pragma endscop
}
