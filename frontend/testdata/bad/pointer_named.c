double a[90];
static int less(int x, int y) { return x < y ? x : y; }
static int more(int x, int y) { return x > y ? x : y; }
void f(int n, int m)
{
    int (*less)(int, int) = more;
#pragma scop
    for (int i = 0; i < less(n, m); i++)
        a[i] = 1;
#pragma endscop
}
int g(int n) { return less(n, 3); }
