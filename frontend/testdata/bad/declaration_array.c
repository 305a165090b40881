double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
    {
        double t[2] = {1, 2};
        t[0] += a[i];
        a[i] = t[0] + t[1];
    }
#pragma endscop
}
