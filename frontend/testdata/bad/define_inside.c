#define M 4
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
#undef M
#define M 5
    for (i = 0; i < n; i++)
        a[i] = M;
#pragma endscop
}
