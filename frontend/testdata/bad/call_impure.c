double a[90];
static int seed;
static int next(int i)
{
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
