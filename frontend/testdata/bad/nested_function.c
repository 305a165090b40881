void f(int n, double a[n])
{
    int max(int x, int y) { return x < y ? x : y; }
#pragma scop
    for (int i = 0; i < max(n, 3); i++)
        a[i] = max(i, 2);
#pragma endscop
}
