double a[90];
static int next(int i)
{
    static int seed;
    return seed += i;
}
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = next(i);
#pragma endscop
}
