double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (float x = 0; x < n; x++)
        a[0] += x;
#pragma endscop
}
