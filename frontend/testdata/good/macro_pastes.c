#define AT(x, y) a[y] = x##y
double a[90], xi;
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        AT(x, i) = 0;
#pragma endscop
}
