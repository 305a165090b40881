double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        {
            double t[i + 1];
            t[i] = a[i];
            b[i][0] = t[i];
        }
#pragma endscop
}
